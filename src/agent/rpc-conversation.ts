// A conversation by JSON-RPC over lines: what the protocols that use it share.
import { defined } from '../defined.ts';
import type { AgentEvent, Tokens } from '../event/activity.ts';
import type { AgentMessage, Conversation, ConversationOpening, LineReading } from './agent.ts';
import { type JsonRecord, noiseOf, number, parseRecord, record, text } from './json-value.ts';

export type RpcError = Readonly<{ code: number; message: string; data: JsonRecord }>;

/** Of the answer that ends a turn. */
export type TurnEnd = Omit<Extract<AgentEvent, { type: 'result' }>, 'type' | 'tokens' | 'contextWindows'>;

const methodNotFound = -32601;

export const nothing: LineReading = { events: [] };

export abstract class RpcConversation implements Conversation {
  /** Absent: it only reads a record. */
  protected readonly opening: ConversationOpening | undefined;
  protected session = '';
  protected model = '';
  protected version = '';
  /** Text that waits for the session, or the end of a prompt that was cancelled for it. */
  protected waiting: string | undefined;
  /** In use, and how much there is; tokens. */
  protected context = { used: 0, window: 0 };
  readonly #head: JsonRecord;
  readonly #asked = new Map<number, string>();
  #last = 0;

  /** `head` begins every line, e.g. a version. */
  constructor(opening: ConversationOpening | undefined, head: JsonRecord = {}) {
    this.opening = opening;
    this.#head = head;
  }

  /** Of the first request. */
  protected abstract readonly hello: JsonRecord;
  /** In the open session. */
  protected abstract say(text: string): string;
  protected abstract steer(text: string): string;
  protected abstract interrupt(): string;
  protected abstract onAnswer(to: string, result: JsonRecord): LineReading;
  protected abstract onError(to: string, error: RpcError): LineReading;
  protected abstract onNotice(method: string, params: JsonRecord): LineReading;
  /** Of this process. */
  protected abstract get tokens(): Tokens | undefined;

  write(message: AgentMessage): string | undefined {
    switch (message.type) {
      case 'prompt':
      case 'correction': {
        const isOpen = this.session !== '';
        this.waiting = isOpen ? undefined : message.text;
        return isOpen ? this.say(message.text) : this.ask('initialize', this.hello);
      }
      case 'steer':
        return this.steer(message.text);
      case 'interrupt':
        return this.interrupt();
      case 'cost':
        return undefined;
    }
  }

  read(line: string): LineReading {
    const value = parseRecord(line);
    if (value === undefined) return { events: noiseOf(line) };
    const method = text(value['method']);
    const params = record(value['params']) ?? {};
    if (method === undefined) return this.#readAnswer(value);
    return value['id'] === undefined
      ? this.onNotice(method, params)
      : this.onRequest(value['id'], method, params);
  }

  /** Nobody is kept waiting. */
  protected onRequest(id: unknown, method: string, _params: JsonRecord): LineReading {
    const error = { code: methodNotFound, message: `${method} is not supported` };
    return { events: [], answer: this.#line({ id, error }) };
  }

  protected ask(method: string, params: JsonRecord): string {
    this.#last += 1;
    this.#asked.set(this.#last, method);
    return this.#line({ id: this.#last, method, params });
  }

  /** Not answered. */
  protected tell(method: string, params?: JsonRecord): string {
    return this.#line({ method, ...defined({ params }) });
  }

  protected answer(id: unknown, result: JsonRecord): string {
    return this.#line({ id, result });
  }

  protected get started(): AgentEvent {
    return { type: 'started', agentSession: this.session, model: this.model, version: this.version };
  }

  protected end(fields: TurnEnd): readonly AgentEvent[] {
    const { window } = this.context;
    const contextWindows = window > 0 ? { [this.model]: window } : undefined;
    return [
      { type: 'result', ...fields, ...defined({ tokens: this.tokens, contextWindows }) },
      { type: 'idle' },
    ];
  }

  /** An answer to no request of pawl's says nothing. */
  #readAnswer(value: JsonRecord): LineReading {
    const id = number(value['id']) ?? 0;
    const to = this.#asked.get(id);
    this.#asked.delete(id);
    if (to === undefined) return nothing;
    const error = record(value['error']);
    if (!error) return this.onAnswer(to, record(value['result']) ?? {});
    return this.onError(to, {
      code: number(error['code']) ?? 0,
      message: text(error['message']) ?? '',
      data: record(error['data']) ?? {},
    });
  }

  #line(value: JsonRecord): string {
    return `${JSON.stringify({ ...this.#head, ...value })}\n`;
  }
}

/** `input` includes what was cached. */
export function tokensOf(
  usage: Readonly<{ input: unknown; output: unknown; cacheRead: unknown; cacheWrite: unknown }>,
): Tokens | undefined {
  const input = number(usage.input);
  if (input === undefined) return undefined;
  const [cacheRead, cacheWrite] = [number(usage.cacheRead) ?? 0, number(usage.cacheWrite) ?? 0];
  return {
    input: Math.max(0, input - cacheRead - cacheWrite),
    output: number(usage.output) ?? 0,
    cacheRead,
    cacheWrite,
  };
}
