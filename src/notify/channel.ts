// Where messages go: an address becomes a channel that knows what to send, and sends nothing.
import { type Address, splitAddress } from './address.ts';
import type { ChannelReading, Transport } from './means.ts';
import { readDiscord, readNtfy, readSlack, readTelegram } from './service/chat.ts';
import { readMail } from './service/mail.ts';
import { readCommand, readWebhook } from './service/own.ts';

/** `name` contains no secret. */
export type Channel = Readonly<{ name: string; means: Transport; secrets: readonly string[] }>;

const services: Readonly<Record<string, Readonly<{ form: string; read(address: Address): ChannelReading }>>> =
  {
    ntfy: { form: 'ntfy://[USER:PASSWORD@]HOST/TOPIC', read: readNtfy },
    ntfys: { form: 'ntfys://[TOKEN@]HOST/TOPIC', read: readNtfy },
    slack: { form: 'slack://A/B/C, the parts of the webhook', read: readSlack },
    discord: { form: 'discord://ID/TOKEN', read: readDiscord },
    tgram: { form: 'tgram://BOT_TOKEN/CHAT_ID', read: readTelegram },
    mailto: { form: 'mailto://USER:PASSWORD@DOMAIN?smtp=HOST&to=ADDRESS', read: readMail },
    mailtos: { form: 'mailtos://USER:PASSWORD@DOMAIN?smtp=HOST&to=ADDRESS', read: readMail },
    json: { form: 'json://HOST/PATH', read: readWebhook },
    jsons: { form: 'jsons://HOST/PATH', read: readWebhook },
  };

const gone = ['gotify', 'gotifys', 'pover', 'desktop'];

/** A `problem` shows no secret. */
export function readChannel(text: string): Channel | Readonly<{ problem: string }> {
  const command = /^command:(?!\/\/)\s*(\S.*)$/s.exec(text.trim())?.[1];
  if (command !== undefined) return { name: 'command', means: readCommand(command), secrets: [] };
  const address = splitAddress(text);
  if (!address) return { problem: `this is not an address: ${howWritten}` };
  const service = services[address.scheme];
  if (!service) {
    const why = gone.includes(address.scheme)
      ? `${address.scheme}:// is gone: send its request by a command: or a webhook, jsons:// (docs/messages.md)`
      : `there is no service ${address.scheme}://: ${howWritten}`;
    return { problem: why };
  }
  const reading = service.read(address);
  if ('problem' in reading)
    return { problem: `${address.scheme}:// ${reading.problem}; it is written ${service.form}` };
  const { means, shown = '…', secrets } = reading;
  return { name: `${address.scheme}://${shown}`, means, secrets: secrets.filter((one) => one.length >= 8) };
}

const howWritten = `addresses begin with ${Object.keys(services)
  .map((scheme) => `${scheme}://`)
  .join(', ')} or command:`;
