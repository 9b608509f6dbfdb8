// The ways a message can leave: a request over HTTP, a mail, a program. What a service makes of an address.
import type { Message } from './message.ts';

/** A request over HTTP. */
export type HttpRequest = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** A request with JSON, and what it says beside that. */
export function postJson(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  return { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** How a mail server is spoken to, and who writes to whom. */
export type MailServer = Readonly<{
  host: string;
  port: number;
  /** TLS from the first byte; otherwise STARTTLS where `needsTls`. */
  secure: boolean;
  needsTls: boolean;
  user?: string;
  password?: string;
  from: string;
  to: readonly string[];
}>;

/** A program to start, and what it reads. */
export type ProgramCall = Readonly<{ file: string; args: readonly string[]; stdin?: string }>;

/** One way out. */
export type Means =
  | Readonly<{
      kind: 'http';
      requests(message: Message): readonly HttpRequest[];
      /** What an answer without an error status says against it; undefined: nothing. */
      judgeAnswer?(body: string): string | undefined;
    }>
  | Readonly<{ kind: 'mail'; server: MailServer }>
  | Readonly<{ kind: 'program'; call(message: Message, platform: string): ProgramCall }>;

/** What a service makes of an address; `problem`: what it misses, as words that go on. */
export type Reading =
  | Readonly<{
      means: Means;
      /** What of it may be shown beside its scheme; absent: nothing. */
      shown?: string;
      /** Texts that are never to be seen. */
      secrets: readonly string[];
    }>
  | Readonly<{ problem: string }>;
