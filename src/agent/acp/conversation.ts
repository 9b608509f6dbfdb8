// The conversation with one process over the Agent Client Protocol, version 1.
import type { ProgramSettings } from '../../config/agent-settings.ts';
import { type AgentEvent, addTokens, noTokens, type Tokens } from '../../event/activity.ts';
import type { ConversationOpening, LineReading } from '../agent.ts';
import { type JsonRecord, number, record, records, text } from '../json-value.ts';
import { nothing, RpcConversation, type RpcError, type TurnEnd } from '../rpc-conversation.ts';
import type { AcpEntry } from './entries.ts';
import { judgeStop, readAnswer, readError, readTokens, TurnReader } from './read-update.ts';

const version = 1;

export class AcpConversation extends RpcConversation {
  /** No files, no terminals: each agent has its own tools. Notices then are no part of an answer. */
  protected readonly hello = {
    protocolVersion: version,
    clientInfo: { name: 'pawl', title: 'pawl', version: '1' },
    clientCapabilities: { session: { notices: {} } },
  };
  readonly #entry: AcpEntry;
  readonly #settings: ProgramSettings;
  #turn = new TurnReader();
  /** To be answered before the first prompt. */
  #steps: (readonly [method: string, params: JsonRecord])[] = [];
  #isUnheard = false;
  protected tokens: Tokens | undefined;

  constructor(opening: ConversationOpening | undefined, entry: AcpEntry, settings: ProgramSettings) {
    super(opening, { jsonrpc: '2.0' });
    this.#entry = entry;
    this.#settings = settings;
  }

  /** By a cancel: agents differ in what they do with a second prompt during a running one. */
  protected steer(said: string): string {
    this.waiting = said;
    return this.#cancel();
  }

  protected interrupt(): string {
    return this.session === '' ? '' : this.#cancel();
  }

  override read(line: string): LineReading {
    const reading = super.read(line);
    if (!this.#isUnheard || reading.events.length === 0) return reading;
    this.#isUnheard = false;
    return { ...reading, events: [this.started, ...reading.events] };
  }

  protected onAnswer(to: string, result: JsonRecord): LineReading {
    switch (to) {
      case 'initialize':
        return this.#onHello(result);
      case 'session/new':
      case 'session/resume':
      case 'session/load':
        this.session = text(result['sessionId']) ?? this.opening?.request.resume ?? '';
        return this.#onSession(result);
      case 'session/prompt':
        return this.#onPromptEnd(result);
      default:
        return this.#nextStep();
    }
  }

  #onHello(result: JsonRecord): LineReading {
    const theirs = number(result['protocolVersion']);
    if (theirs !== version) {
      const text = `it speaks version ${theirs ?? 'unknown'} of ACP, pawl version ${version}; a newer or older version of the program may speak it`;
      return { events: this.end({ isError: true, text, apiError: 'protocol_mismatch' }) };
    }
    this.version = text(record(result['agentInfo'])?.['version']) ?? '';
    const { request, cwd = '' } = this.opening ?? {};
    const place = { cwd, mcpServers: [] };
    const { resume } = this.#entry;
    if (request?.resume === undefined || resume === undefined)
      return { events: [], answer: this.ask('session/new', place) };
    return { events: [], answer: this.ask(resume, { sessionId: request.resume, ...place }) };
  }

  #onSession(result: JsonRecord): LineReading {
    const sessionId = this.session;
    const { mode = this.#entry.mode } = this.#settings;
    const isSet = this.#entry.modelFlag !== undefined;
    const model = isSet ? undefined : (this.opening?.request.model ?? this.#settings.model);
    const options = records(result['configOptions']);
    const option = options.find(({ category, id }) => category === 'model' || id === 'model');
    const current = text(record(result['models'])?.['currentModelId']) ?? text(option?.['currentValue']);
    this.model = model ?? current ?? '';
    if (mode !== undefined) this.#steps.push(['session/set_mode', { sessionId, modeId: mode }]);
    const configId = text(option?.['id']) ?? 'model';
    if (model !== undefined)
      this.#steps.push(['session/set_config_option', { sessionId, configId, value: model }]);
    return this.#nextStep();
  }

  #nextStep(): LineReading {
    const step = this.#steps.shift();
    if (step) return { events: [], answer: this.ask(...step) };
    this.waiting ??= '';
    return this.#promptWaiting() ?? nothing;
  }

  #onPromptEnd(result: JsonRecord): LineReading {
    const told = readAnswer(result);
    if (this.#entry.counts && told) this.tokens = addTokens(this.tokens ?? noTokens, told);
    this.#turn.noteUse(told);
    return this.#endPrompt(judgeStop(text(result['stopReason']) ?? '', this.#turn));
  }

  protected onError(to: string, error: RpcError): LineReading {
    const fields = { isError: true, reason: 'api_error', ...readError(to, error) };
    // Some agents answer a cancelled prompt with an error.
    return to === 'session/prompt' ? this.#endPrompt(fields) : { events: this.end(fields) };
  }

  #endPrompt(end: TurnEnd): LineReading {
    const said = this.#turn.end();
    const next = this.#promptWaiting();
    return next
      ? { events: [...said, ...next.events], answer: next.answer }
      : { events: [...said, ...this.end(end)] };
  }

  protected override onRequest(id: unknown, method: string, params: JsonRecord): LineReading {
    if (method !== 'session/request_permission') return super.onRequest(id, method, params);
    // "Allow always" would be written to the repository or the user's settings.
    const options = records(params['options']);
    const once = options.find(({ kind }) => kind === 'allow_once');
    const outcome = once ? { outcome: 'selected', optionId: once['optionId'] } : { outcome: 'cancelled' };
    const events = this.#turn.take({ ...record(params['toolCall']), sessionUpdate: 'tool_call_update' });
    return { events, answer: this.answer(id, { outcome }) };
  }

  protected onNotice(method: string, params: JsonRecord): LineReading {
    // A loaded session first replays its whole past.
    if (method !== 'session/update' || (this.opening && this.session === '')) return nothing;
    const update = record(params['update']) ?? {};
    const { used, window } = this.context;
    this.context = { used: number(update['used']) ?? used, window: number(update['size']) ?? window };
    this.#turn.noteUse(readTokens(record(record(update['_meta'])?.['usage'])));
    const isUsage = update['sessionUpdate'] === 'usage_update';
    return { events: [...this.#turn.take(update), ...(isUsage ? this.#usageOf(update) : [])] };
  }

  #usageOf(update: JsonRecord): readonly AgentEvent[] {
    const tokens = number(update['used']) ?? 0;
    const cost = record(update['cost']);
    // Without known prices the cost is reported as 0; a resumed session's holds others'.
    const isOwn = cost?.['currency'] === 'USD' && this.opening?.request.resume === undefined;
    const costUsd = isOwn ? (number(cost['amount']) ?? 0) : 0;
    return [
      ...(tokens > 0 ? [{ type: 'context', tokens, model: this.model } as const] : []),
      ...(costUsd > 0 ? [{ type: 'cost', costUsd } as const] : []),
    ];
  }

  protected say(said: string): string {
    this.#turn = new TurnReader();
    this.#isUnheard = true;
    return this.ask('session/prompt', {
      sessionId: this.session,
      prompt: [{ type: 'text', text: said }],
    });
  }

  #promptWaiting(): Required<LineReading> | undefined {
    if (this.waiting === undefined) return undefined;
    const answer = this.say(this.waiting);
    this.waiting = undefined;
    this.#isUnheard = false;
    return { events: [this.started], answer };
  }

  #cancel(): string {
    return this.tell('session/cancel', { sessionId: this.session });
  }
}
