// The conversation with one `codex app-server` (0.169.0).
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import {
  type AgentEvent,
  type LimitWindow,
  noTokens,
  subtractTokens,
  type Tokens,
} from '../../event/activity.ts';
import type { ConversationOpening, LineReading } from '../agent.ts';
import { type JsonRecord, number, record, text } from '../json-value.ts';
import { nothing, RpcConversation, type RpcError, type TurnEnd, tokensOf } from '../rpc-conversation.ts';
import { limitOf, mergeWindows, readNotice, readTurnError } from './read-notice.ts';

type ThreadSettings = Pick<Config['agent']['codex'], 'model' | 'effort'>;

export class AppServer extends RpcConversation {
  /** Only clients with experimental methods can end a command that an interrupted turn left. */
  protected readonly hello = {
    clientInfo: { name: 'pawl', title: 'pawl', version: '1' },
    capabilities: { experimentalApi: true },
  };
  readonly #settings: ThreadSettings;
  #turn: string | undefined;
  #steered = '';
  #windows: readonly LimitWindow[] = [];
  /** A turn failed by the limit, while pawl asks when that ends. */
  #limited: TurnEnd | undefined;
  /** Of the whole thread; before: by the process that began it, reported before the first turn. */
  #before: Tokens | undefined;
  #total: Tokens | undefined;

  constructor(opening: ConversationOpening | undefined, settings: ThreadSettings) {
    super(opening);
    this.#settings = settings;
    this.#before = opening?.request.resume === undefined ? noTokens : undefined;
  }

  protected steer(said: string): string {
    this.#steered = said;
    return this.#inTurn('turn/steer', (turn) => ({ expectedTurnId: turn, input: inputOf(said) }));
  }

  /** Interrupting a turn leaves its command running. */
  protected interrupt(): string {
    return (
      this.#inTurn('turn/interrupt', (turn) => ({ turnId: turn })) +
      this.ask('thread/backgroundTerminals/clean', { threadId: this.session })
    );
  }

  protected onAnswer(to: string, result: JsonRecord): LineReading {
    switch (to) {
      case 'initialize':
        return { events: [], answer: this.tell('initialized') + this.#openThread() };
      case 'thread/start':
      case 'thread/resume': {
        const thread = record(result['thread']) ?? {};
        this.session = text(thread['id']) ?? '';
        this.version = text(thread['cliVersion']) ?? '';
        this.model = text(result['model']) ?? '';
        return { events: [], answer: this.say(this.waiting ?? '') };
      }
      case 'turn/steer':
        // The turn continues with it.
        return { events: [this.started] };
      case 'account/rateLimits/read':
        this.#windows = mergeWindows(this.#windows, record(result['rateLimits']) ?? {});
        return { events: this.#endLimited() };
      default:
        return nothing;
    }
  }

  protected onError(to: string, { message }: RpcError): LineReading {
    switch (to) {
      case 'turn/steer':
        // The turn is over: it opens the next one.
        return { events: [], answer: this.say(this.#steered) };
      case 'account/rateLimits/read':
        return { events: this.#endLimited() };
      case 'initialize':
      case 'thread/start':
        if (otherProtocol.test(message)) return { events: this.end(mismatch(message)) };
        return { events: this.end({ text: message, isError: true, reason: 'startup_failure' }) };
      case 'thread/resume':
      case 'turn/start':
        return { events: this.end({ text: message, isError: true, reason: 'startup_failure' }) };
      default:
        return nothing;
    }
  }

  protected onNotice(method: string, params: JsonRecord): LineReading {
    const thread = text(params['threadId']);
    const isOwn = !this.opening || thread === undefined || thread === this.session;
    switch (method) {
      case 'turn/started':
        if (!isOwn) return nothing;
        this.#turn = text(record(params['turn'])?.['id']);
        return { events: [this.started] };
      case 'turn/completed':
        return isOwn ? this.#onTurnEnd(record(params['turn']) ?? {}) : nothing;
      case 'thread/tokenUsage/updated':
        return { events: isOwn ? this.#onTokens(params) : [] };
      case 'account/rateLimits/updated':
        return { events: this.#onLimits(record(params['rateLimits']) ?? {}) };
      default:
        return { events: readNotice(method, params, isOwn) };
    }
  }

  #onTokens(params: JsonRecord): readonly AgentEvent[] {
    const usage = record(params['tokenUsage']) ?? {};
    const { used, window } = this.context;
    this.context = {
      used: number(record(usage['last'])?.['totalTokens']) ?? used,
      window: number(usage['modelContextWindow']) ?? window,
    };
    const { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens } =
      record(usage['total']) ?? {};
    const total = tokensOf({
      input: inputTokens,
      output: outputTokens,
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteInputTokens,
    });
    // Of a turn of this process.
    if (text(params['turnId']) === this.#turn) this.#total = total ?? this.#total;
    else this.#before ??= total;
    const tokens = this.context.used;
    return tokens > 0 ? [{ type: 'context', tokens, model: this.model }] : [];
  }

  protected get tokens(): Tokens | undefined {
    return this.#total && subtractTokens(this.#total, this.#before ?? noTokens);
  }

  #onLimits(limits: JsonRecord): readonly AgentEvent[] {
    this.#windows = mergeWindows(this.#windows, limits);
    return this.#windows.length > 0 ? [limitOf(this.#windows, false)] : [];
  }

  #onTurnEnd(turn: JsonRecord): LineReading {
    this.#turn = undefined;
    const error = record(turn['error']);
    if (turn['status'] === 'interrupted')
      return { events: this.end({ text: '', isError: true, reason: 'aborted_by_interrupt' }) };
    if (turn['status'] !== 'failed')
      return { events: this.end({ text: '', textIsLastSaid: true, isError: false, reason: 'completed' }) };
    const end = { ...readTurnError(error ?? {}), isError: true, reason: 'api_error' };
    if (end.apiError !== 'usage_limit_reached') return { events: this.end(end) };
    this.#limited = end;
    return 'resetsAt' in limitOf(this.#windows, true)
      ? { events: this.#endLimited() }
      : { events: [], answer: this.ask('account/rateLimits/read', {}) };
  }

  #endLimited(): readonly AgentEvent[] {
    const end = this.#limited;
    this.#limited = undefined;
    return end ? [limitOf(this.#windows, true), ...this.end(end)] : [];
  }

  #openThread(): string {
    const { request, cwd = '' } = this.opening ?? {};
    const model = request?.model ?? this.#settings.model;
    // Otherwise the server writes into the user's settings that the folder is trusted.
    const config = { projects: { [cwd]: { trust_level: request?.trusted ? 'trusted' : 'untrusted' } } };
    const params = {
      cwd,
      approvalPolicy: 'never',
      sandbox: request?.readOnly ? 'read-only' : 'danger-full-access',
      config,
      ...defined({ model }),
    };
    return request?.resume === undefined
      ? this.ask('thread/start', params)
      : this.ask('thread/resume', { threadId: request.resume, excludeTurns: true, ...params });
  }

  protected say(said: string): string {
    const effort = this.opening?.request.effort ?? this.#settings.effort;
    const outputSchema = this.opening?.request.schema;
    return this.ask('turn/start', {
      threadId: this.session,
      input: inputOf(said),
      ...defined({ effort, outputSchema }),
    });
  }

  #inTurn(method: string, params: (turn: string) => JsonRecord): string {
    if (this.#turn === undefined) return '';
    return this.ask(method, { threadId: this.session, ...params(this.#turn) });
  }
}

const otherProtocol = /^(invalid request|method not found)\b|\bunknown variant\b/i;

function mismatch(message: string) {
  const text = `the app server of this version of codex speaks otherwise than pawl (${message})`;
  return { text, isError: true, reason: 'startup_failure', apiError: 'protocol_mismatch' };
}

function inputOf(said: string): readonly JsonRecord[] {
  return [{ type: 'text', text: said }];
}
