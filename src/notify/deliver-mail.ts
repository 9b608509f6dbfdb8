// Sends a message as a plain-text mail.
import { createTransport } from 'nodemailer';
import type { MailServer } from './means.ts';
import type { Message } from './message.ts';

export async function sendMail(server: MailServer, message: Message, timeoutMs: number): Promise<void> {
  const { host, port, secure, needsTls, user, password, from, to } = server;
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS: needsTls,
    ignoreTLS: !secure && !needsTls,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const late = setTimeout(() => transport.close(), timeoutMs);
  try {
    await transport.sendMail({
      from: { name: 'pawl', address: from },
      to: [...to],
      subject: message.title,
      text: `${message.body}\n`,
      ...(message.priority >= 5 ? { priority: 'high' as const } : {}),
      // Mail programs send no holiday replies to it.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    clearTimeout(late);
    transport.close();
  }
}
