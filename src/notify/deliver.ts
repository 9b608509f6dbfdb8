// Sends one message over one channel, with a time limit; says in words, without its secrets, what went wrong; never
// throws.
import { shorten } from '../shorten.ts';
import type { Channel } from './channel.ts';
import type { HttpRequest, MailServer, Transport } from './means.ts';
import type { Message } from './message.ts';

/** Of a shell: why it failed; undefined: it ended well. */
export type RunProgram = (command: string, stdin: string, timeoutMs: number) => Promise<string | undefined>;

export type Tools = Readonly<{ runProgram: RunProgram; timeoutMs: number }>;

/** `isPassing`: it may work later. */
export type Trouble = Readonly<{ why: string; isPassing: boolean }>;

/** Undefined: it was delivered. */
export async function deliver(
  channel: Channel,
  message: Message,
  tools: Tools,
): Promise<Trouble | undefined> {
  try {
    const trouble = await sendBy(channel.means, message, tools);
    return trouble && { ...trouble, why: conceal(trouble.why, channel) };
  } catch (error) {
    return { why: conceal(wordsOf(error, tools.timeoutMs), channel), isPassing: true };
  }
}

async function sendBy(means: Transport, message: Message, tools: Tools): Promise<Trouble | undefined> {
  switch (means.kind) {
    case 'http':
      return post(means.request(message), tools.timeoutMs);
    case 'mail':
      return sendMail(means.server, message, tools.timeoutMs);
    case 'program': {
      const why = await tools.runProgram(means.command, means.stdin(message), tools.timeoutMs);
      return why === undefined ? undefined : { why, isPassing: false };
    }
  }
}

/** As plain text. */
async function sendMail(mail: MailServer, message: Message, ms: number): Promise<Trouble | undefined> {
  const { from, to, ...server } = mail;
  // Loaded only for a mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...server,
    ignoreTLS: !server.secure && !server.requireTLS,
    ...{ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const late = setTimeout(() => transport.close(), ms);
  try {
    const { rejected } = await transport.sendMail({
      from: { name: 'pawl', address: from },
      to: [...to],
      subject: message.title,
      text: `${message.body}\n`,
      ...(message.priority >= 5 ? { priority: 'high' as const } : {}),
      // Mail programs send no holiday replies to it.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return rejected.length === 0
      ? undefined
      : { why: `refused for ${rejected.join(', ')}`, isPassing: false };
  } finally {
    clearTimeout(late);
    transport.close();
  }
}

async function post({ url, headers, body }: HttpRequest, timeoutMs: number): Promise<Trouble | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  // A redirect would send everything to another host.
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  // Taken, whatever comes of the rest: a second try would tell it twice.
  if (answer.ok) {
    answer.body?.cancel().catch(() => {});
    return undefined;
  }
  const text = await readStart(answer);
  if (answer.status >= 300 && answer.status < 400) {
    const target = URL.parse(answer.headers.get('location') ?? '', url);
    const to = target ? ` to ${target.protocol}//${target.host}` : '';
    return { why: `it redirects${to} (${answer.status}): use that address`, isPassing: false };
  }
  const isPassing = answer.status >= 500 || answer.status === 429;
  return { why: `${answer.status} ${answer.statusText} ${text}`, isPassing };
}

/** A server may send without end. */
async function readStart({ body }: Response): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > 2_000) break;
  }
  return text;
}

/** What an error says, without an address. */
export function wordsOf(error: unknown, timeoutMs: number): string {
  const { name, cause, message } = error instanceof Error ? error : new Error(String(error));
  if (name === 'TimeoutError') return `no answer within ${Math.round(timeoutMs / 1_000)} s`;
  const inner = cause instanceof Error ? cause : undefined;
  const first = inner instanceof AggregateError ? inner.errors[0] : undefined;
  return first instanceof Error ? first.message : (inner?.message ?? message);
}

function conceal(text: string, { secrets }: Channel): string {
  const bare = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
  return shorten(bare.replaceAll(/\s+/g, ' ').trim(), 200);
}
