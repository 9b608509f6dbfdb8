// Where messages go: an address becomes a channel that knows what to send, and sends nothing.
import { splitAddress } from './address.ts';
import type { Services, Transport } from './means.ts';
import { chatServices } from './service/chat.ts';
import { mailServices } from './service/mail.ts';
import { readCommand, webhooks } from './service/own.ts';

/** `name` contains no secret. */
export type Channel = Readonly<{ name: string; means: Transport; secrets: readonly string[] }>;

/** By scheme. */
const services: Services = { ...chatServices, ...mailServices, ...webhooks };

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
  const { means, shown, secrets } = reading;
  return { name: `${address.scheme}://${shown}`, means, secrets: secrets.filter((one) => one.length >= 8) };
}

const howWritten = `addresses begin with ${Object.keys(services)
  .map((scheme) => `${scheme}://`)
  .join(', ')} or command:`;
