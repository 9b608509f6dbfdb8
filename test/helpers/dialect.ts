// What the dialects of the scripted model have in common: what a request asks and a reply holds, and how it is sent.
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiFailure, LimitWindow, Step } from '../fixtures/agents/scripted/script.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What a request says: the user's messages without what a CLI adds of itself, replies given to the last of them, the tools on offer. */
export type Asked = Readonly<{
  messages: readonly string[];
  replies: number;
  tools: readonly string[];
  hasSchema: boolean;
}>;

/** One reply: words, then perhaps a shell command, run by the tool that the CLI offers for it. */
export type Reply = Readonly<{ texts: readonly string[]; command?: string; body: Json }>;

/** One API. */
export type Dialect = Readonly<{
  read(body: Json): Asked;
  send(response: ServerResponse, reply: Reply): void;
  /** A usage limit, with the instant of its end in epoch seconds where the API has a place for that. */
  refuse(response: ServerResponse, resetsAt: number): void;
}>;

/** What a CLI tells the model about itself and its surroundings in the user's role; the last line is Claude Code's (2.1.330). */
const ownText = new RegExp(
  '^\\s*(<[a-z_-]+>|# AGENTS\\.md|This is the (Gemini CLI|Qwen Code)|---|\\[SYSTEM|' +
    'Your response above was |Output token limit hit|Stop hook feedback|\\[(Request interrupted by user|structured-output-enforce))',
);

/** What one of them puts before a person's words. */
const moment = /^<current_datetime>[^<]*<\/current_datetime>\s*/;

export type Entry = Readonly<{ role: string; texts: readonly string[]; isResult?: boolean }>;

export function positionOf(entries: readonly Entry[]): Pick<Asked, 'messages' | 'replies'> {
  const messages: string[] = [];
  let replies = 0;
  for (const { role, texts, isResult } of entries) {
    if (isResult) replies += 1;
    const said = texts
      .map((text) => text.replace(moment, ''))
      .filter((text) => text !== '' && !ownText.test(text))
      .join('\n');
    if (role !== 'user' || said === '') continue;
    messages.push(said);
    replies = 0;
  }
  return { messages, replies };
}

/** Starts a scripted model on a free port of 127.0.0.1; it ends with its scope. */
export async function serve(server: Server): Promise<AsyncDisposable & Readonly<{ url: string }>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

type Failed = Readonly<{ api: ApiFailure } | { resetsAt: number; window?: LimitWindow | undefined }>;

/** Counts how often replies failed, by their place in a conversation. */
export class Failures {
  readonly #counts = new Map<string, number>();

  count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }

  /** What a reply fails with this time. */
  next(reply: readonly Step[], place: string): Failed | undefined {
    const api = reply.find((step) => 'api' in step)?.api;
    if (api && this.count(`${place}/api`) <= (api.times ?? Number.POSITIVE_INFINITY)) return { api };
    const limit = reply.find((step) => 'limit' in step)?.limit;
    if (limit === undefined) return undefined;
    const resetsAt = this.#counts.get(`${place}/limit`) ?? Math.floor(Date.now() / 1000) + limit.resetsInS;
    this.#counts.set(`${place}/limit`, resetsAt);
    return resetsAt * 1000 <= Date.now() ? undefined : { resetsAt, window: limit.window };
  }
}

export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listOf(content).map(({ text }) => (typeof text === 'string' ? text : ''));
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function sendEvents(
  response: ServerResponse,
  events: readonly (readonly [string | undefined, object | string])[],
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events) {
    const said = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${said}\n\n`);
  }
  response.end();
}

export function sendJson(
  response: ServerResponse,
  body: object,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The tool among those on offer that runs a shell command, with all that it asks for. */
export function shellCall(
  tools: readonly Readonly<{ name: string; parameters: Json }>[],
  command: string,
): Readonly<{ name: string; args: Json }> {
  const tool = tools.find(({ name }) =>
    /^(bash|shell|run_shell_command|exec_command|Bash|Shell)$/.test(name),
  );
  if (!tool) throw new Error(`no shell among the tools ${tools.map(({ name }) => name).join(', ')}`);
  const known = Object.keys((tool.parameters['properties'] as Json | undefined) ?? {});
  const words: Json = { command, cmd: command, description: 'Does it', is_background: false };
  const args = Object.fromEntries(Object.entries(words).filter(([name]) => known.includes(name)));
  return { name: tool.name, args };
}
