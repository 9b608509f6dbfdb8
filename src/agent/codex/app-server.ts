// The conversation with one `codex app-server` (0.169.0).
import { defined } from '../../defined.ts';
import type { AgentEvent, LimitWindow } from '../../event/activity.ts';
import type { AgentMessage, Conversation, ConversationOpening, LineReading } from '../agent.ts';
import { type RpcMessage, RpcSide } from '../json-rpc.ts';
import { type JsonRecord, record, text } from '../json-value.ts';
import { limitOf, mergeWindows, readTurnError, TokenCount } from './read-failure.ts';
import { readNotice } from './read-notice.ts';

export type ThreadSettings = Readonly<{
  model: string | undefined;
  effort: string | undefined;
}>;

const nothing: LineReading = { events: [] };

export class AppServer implements Conversation {
  readonly #rpc = new RpcSide();
  readonly #opening: ConversationOpening;
  readonly #settings: ThreadSettings;
  readonly #tokens: TokenCount;
  #thread = '';
  #turn: string | undefined;
  #model = '';
  #version = '';
  #waiting = '';
  #steered = '';
  #windows: readonly LimitWindow[] = [];
  /** A turn failed by the limit, while pawl asks when that ends. */
  #limited: AgentEvent | undefined;

  constructor(opening: ConversationOpening, settings: ThreadSettings) {
    this.#opening = opening;
    this.#settings = settings;
    this.#tokens = new TokenCount(opening.request.resume !== undefined);
  }

  write(message: AgentMessage): string | undefined {
    switch (message.type) {
      case 'prompt':
      case 'correction':
        if (this.#thread !== '') return this.#startTurn(message.text);
        this.#waiting = message.text;
        return this.#rpc.ask('initialize', hello);
      case 'steer':
        this.#steered = message.text;
        return this.#inTurn('turn/steer', (turn) => ({
          expectedTurnId: turn,
          input: inputOf(message.text),
        }));
      case 'interrupt':
        // Interrupting a turn leaves its command running.
        return (
          this.#inTurn('turn/interrupt', (turn) => ({ turnId: turn })) +
          this.#rpc.ask('thread/backgroundTerminals/clean', { threadId: this.#thread })
        );
      case 'cost':
        return undefined;
    }
  }

  read(line: string): LineReading {
    const message = this.#rpc.take(line);
    if (message === undefined) return { events: readNotice(line, undefined) };
    switch (message.kind) {
      case 'answer':
        return message.error ? this.#onError(message.to, message.error.message) : this.#onAnswer(message);
      case 'request':
        // Nothing needs approval; if asked all the same, it is not kept waiting.
        return { events: [], answer: this.#rpc.refuse(message.id, message.method) };
      case 'notice':
        return this.#onNotice(message.method, message.params, line);
      case 'stray':
        return nothing;
    }
  }

  #onAnswer({ to, result }: Extract<RpcMessage, { error?: undefined; kind: 'answer' }>): LineReading {
    switch (to) {
      case 'initialize':
        return { events: [], answer: this.#rpc.tell('initialized') + this.#openThread() };
      case 'thread/start':
      case 'thread/resume': {
        const thread = record(result['thread']) ?? {};
        this.#thread = text(thread['id']) ?? '';
        this.#version = text(thread['cliVersion']) ?? '';
        this.#model = text(result['model']) ?? '';
        return { events: [], answer: this.#startTurn(this.#waiting) };
      }
      case 'turn/steer':
        // The turn continues with it.
        return { events: [this.#started] };
      case 'account/rateLimits/read':
        this.#windows = mergeWindows(this.#windows, record(result['rateLimits']) ?? {});
        return { events: this.#endLimited() };
      default:
        return nothing;
    }
  }

  #onError(to: string, message: string): LineReading {
    switch (to) {
      case 'turn/steer':
        // The turn is over: it opens the next one.
        return { events: [], answer: this.#startTurn(this.#steered) };
      case 'account/rateLimits/read':
        return { events: this.#endLimited() };
      case 'initialize':
      case 'thread/start':
        if (otherProtocol.test(message)) return { events: this.#end(mismatch(message)) };
        return { events: this.#end({ text: message, isError: true, reason: 'startup_failure' }) };
      case 'thread/resume':
      case 'turn/start':
        return { events: this.#end({ text: message, isError: true, reason: 'startup_failure' }) };
      default:
        return nothing;
    }
  }

  #onNotice(method: string, params: JsonRecord, line: string): LineReading {
    const isOwn = (text(params['threadId']) ?? this.#thread) === this.#thread;
    switch (method) {
      case 'turn/started':
        if (!isOwn) return nothing;
        this.#turn = text(record(params['turn'])?.['id']);
        return { events: [this.#started] };
      case 'turn/completed':
        return isOwn ? this.#onTurnEnd(record(params['turn']) ?? {}) : nothing;
      case 'thread/tokenUsage/updated':
        return isOwn ? this.#onTokens(params) : nothing;
      case 'account/rateLimits/updated':
        return { events: this.#onLimits(record(params['rateLimits']) ?? {}) };
      default:
        return { events: readNotice(line, { method, params, isOwn }) };
    }
  }

  #onTokens(params: JsonRecord): LineReading {
    this.#tokens.take(params, text(params['turnId']) === this.#turn);
    const { inContext } = this.#tokens;
    return { events: inContext > 0 ? [{ type: 'context', tokens: inContext, model: this.#model }] : [] };
  }

  #onLimits(limits: JsonRecord): readonly AgentEvent[] {
    this.#windows = mergeWindows(this.#windows, limits);
    return this.#windows.length > 0 ? [limitOf(this.#windows, false)] : [];
  }

  #onTurnEnd(turn: JsonRecord): LineReading {
    this.#turn = undefined;
    const error = record(turn['error']);
    if (turn['status'] === 'interrupted')
      return { events: this.#end({ text: '', isError: true, reason: 'aborted_by_interrupt' }) };
    if (turn['status'] !== 'failed')
      return { events: this.#end({ text: '', textIsLastSaid: true, isError: false, reason: 'completed' }) };
    const fields = readTurnError(error ?? {});
    const end = this.#result({ ...fields, isError: true, reason: 'api_error' });
    if (fields.apiError !== 'usage_limit_reached') return { events: [end, { type: 'idle' }] };
    this.#limited = end;
    const isKnown = limitOf(this.#windows, true);
    return 'resetsAt' in isKnown
      ? { events: this.#endLimited() }
      : { events: [], answer: this.#rpc.ask('account/rateLimits/read', {}) };
  }

  #endLimited(): readonly AgentEvent[] {
    const end = this.#limited;
    this.#limited = undefined;
    return end ? [limitOf(this.#windows, true), end, { type: 'idle' }] : [];
  }

  #end(fields: Omit<Extract<AgentEvent, { type: 'result' }>, 'type'>): readonly AgentEvent[] {
    return [this.#result(fields), { type: 'idle' }];
  }

  #result(fields: Omit<Extract<AgentEvent, { type: 'result' }>, 'type'>): AgentEvent {
    const { window, own: tokens } = this.#tokens;
    const contextWindows = window > 0 ? { [this.#model]: window } : undefined;
    return { type: 'result', ...fields, ...defined({ tokens, contextWindows }) };
  }

  get #started(): AgentEvent {
    return { type: 'started', agentSession: this.#thread, model: this.#model, version: this.#version };
  }

  #openThread(): string {
    const { request, cwd } = this.#opening;
    const { model } = this.#settings;
    // Otherwise the server writes into the user's settings that the folder is trusted.
    const config = { projects: { [cwd]: { trust_level: request.trusted ? 'trusted' : 'untrusted' } } };
    const params = {
      cwd,
      approvalPolicy: 'never',
      sandbox: request.readOnly ? 'read-only' : 'danger-full-access',
      config,
      ...defined({ model }),
    };
    return request.resume === undefined
      ? this.#rpc.ask('thread/start', params)
      : this.#rpc.ask('thread/resume', { threadId: request.resume, excludeTurns: true, ...params });
  }

  #startTurn(said: string): string {
    const { effort } = this.#settings;
    const outputSchema = this.#opening.request.schema;
    return this.#rpc.ask('turn/start', {
      threadId: this.#thread,
      input: inputOf(said),
      ...defined({ effort, outputSchema }),
    });
  }

  #inTurn(method: string, params: (turn: string) => JsonRecord): string {
    if (this.#turn === undefined) return '';
    return this.#rpc.ask(method, { threadId: this.#thread, ...params(this.#turn) });
  }
}

/** Only clients with experimental methods can end a command that an interrupted turn left. */
const hello = {
  clientInfo: { name: 'pawl', title: 'pawl', version: '1' },
  capabilities: { experimentalApi: true },
};

const otherProtocol = /^(invalid request|method not found)\b|\bunknown variant\b/i;

function mismatch(message: string) {
  const text = `the app server of this version of codex speaks otherwise than pawl (${message})`;
  return { text, isError: true, reason: 'startup_failure', apiError: 'protocol_mismatch' };
}

function inputOf(said: string): readonly JsonRecord[] {
  return [{ type: 'text', text: said }];
}
