// The ways a message can leave.
import type { Address } from './address.ts';
import type { Message } from './message.ts';

export type HttpRequest = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export function postJson(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  return { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

export type MailServer = Readonly<{
  host: string;
  port: number;
  /** TLS from the first byte; else STARTTLS if `requireTLS`. */
  secure: boolean;
  requireTLS: boolean;
  auth?: Readonly<{ user: string; pass: string }>;
  from: string;
  to: readonly string[];
}>;

export type Transport =
  | Readonly<{ kind: 'http'; request(message: Message): HttpRequest }>
  | Readonly<{ kind: 'mail'; server: MailServer }>
  | Readonly<{ kind: 'program'; command: string; stdin(message: Message): string }>;

/** `problem`: what the address lacks, as the rest of a sentence. */
export type ChannelReading =
  | Readonly<{
      means: Transport;
      /** Besides the scheme. */
      shown: string;
      /** Never to be shown. */
      secrets: readonly string[];
    }>
  | Readonly<{ problem: string }>;

/** By scheme; `form`: how its address is written. */
export type Services = Readonly<
  Record<string, Readonly<{ form: string; read(address: Address): ChannelReading }>>
>;

export function byHttp(
  secrets: readonly string[],
  request: (message: Message) => HttpRequest,
  shown = '…',
): ChannelReading {
  return { means: { kind: 'http', request }, shown, secrets };
}
