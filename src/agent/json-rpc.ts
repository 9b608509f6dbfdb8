// pawl's side of JSON-RPC over lines. Sends nothing itself, and knows no agent.
import { type JsonRecord, number, parseRecord, record, text } from './json-value.ts';

export type RpcError = Readonly<{ code: number; message: string; data: JsonRecord }>;

/** `stray`: an answer to no request of pawl's. */
export type RpcMessage =
  | Readonly<{ kind: 'answer'; to: string; result: JsonRecord; error?: undefined }>
  | Readonly<{ kind: 'answer'; to: string; error: RpcError }>
  | Readonly<{ kind: 'request'; id: unknown; method: string; params: JsonRecord }>
  | Readonly<{ kind: 'notice'; method: string; params: JsonRecord }>
  | Readonly<{ kind: 'stray' }>;

const methodNotFound = -32601;

/** `head` begins every line, e.g. a version. */
export class RpcSide {
  readonly #head: JsonRecord;
  readonly #asked = new Map<number, string>();
  #last = 0;

  constructor(head: JsonRecord = {}) {
    this.#head = head;
  }

  ask(method: string, params: JsonRecord): string {
    this.#last += 1;
    this.#asked.set(this.#last, method);
    return this.#line({ id: this.#last, method, params });
  }

  /** Not answered. */
  tell(method: string, params?: JsonRecord): string {
    return this.#line(params === undefined ? { method } : { method, params });
  }

  answer(id: unknown, result: JsonRecord): string {
    return this.#line({ id, result });
  }

  refuse(id: unknown, method: string): string {
    return this.#line({ id, error: { code: methodNotFound, message: `${method} is not supported` } });
  }

  isOpen(method: string): boolean {
    return [...this.#asked.values()].includes(method);
  }

  /** Undefined if no JSON object. */
  take(line: string): RpcMessage | undefined {
    const value = parseRecord(line);
    if (value === undefined) return undefined;
    const method = text(value['method']);
    const params = record(value['params']) ?? {};
    if (method !== undefined)
      return value['id'] === undefined
        ? { kind: 'notice', method, params }
        : { kind: 'request', id: value['id'], method, params };
    return this.#readAnswer(value);
  }

  #readAnswer(value: JsonRecord): RpcMessage {
    const id = number(value['id']) ?? 0;
    const to = this.#asked.get(id);
    this.#asked.delete(id);
    if (to === undefined) return { kind: 'stray' };
    const error = record(value['error']);
    if (!error) return { kind: 'answer', to, result: record(value['result']) ?? {} };
    const said = {
      code: number(error['code']) ?? 0,
      message: text(error['message']) ?? '',
      data: record(error['data']) ?? {},
    };
    return { kind: 'answer', to, error: said };
  }

  #line(value: JsonRecord): string {
    return `${JSON.stringify({ ...this.#head, ...value })}\n`;
  }
}
