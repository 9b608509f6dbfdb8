// The conversation with one process over the Agent Client Protocol, version 1.
import type { AgentEvent } from '../../event/activity.ts';
import type { AgentMessage, Conversation, ConversationOpening, LineReading } from '../agent.ts';
import { type RpcError, type RpcMessage, RpcSide } from '../json-rpc.ts';
import { type JsonRecord, noiseOf, number, record, records, text } from '../json-value.ts';
import { TurnReader, Usage } from './read-update.ts';
import { judgeStop, readError } from './stop.ts';

export type SessionSettings = Readonly<{
  counts: boolean;
  resume: 'session/resume' | 'session/load' | undefined;
  mode: string | undefined;
  model: string | undefined;
}>;

const nothing: LineReading = { events: [] };
const version = 1;

export class AcpConversation implements Conversation {
  readonly #rpc = new RpcSide({ jsonrpc: '2.0' });
  readonly #opening: ConversationOpening | undefined;
  readonly #settings: SessionSettings;
  readonly #turn: TurnReader;
  readonly #usage: Usage;
  #session = '';
  #agentVersion = '';
  #model = '';
  /** To be answered before the first prompt. */
  #steps: (readonly [method: string, params: JsonRecord])[] = [];
  /** Text that waits for the session, or the end of a prompt cancelled for it. */
  #waiting: string | undefined;
  #isUnheard = false;

  constructor(opening: ConversationOpening | undefined, settings: SessionSettings) {
    this.#opening = opening;
    this.#settings = settings;
    this.#turn = new TurnReader();
    this.#usage = new Usage(settings.counts, opening?.request.resume !== undefined);
  }

  write(message: AgentMessage): string | undefined {
    switch (message.type) {
      case 'prompt':
      case 'correction':
        if (this.#session !== '') {
          this.#waiting = undefined;
          return this.#prompt(message.text);
        }
        this.#waiting = message.text;
        return this.#rpc.ask('initialize', hello);
      case 'steer':
        // Agents differ in what they do with a second prompt during a running one.
        this.#waiting = message.text;
        return this.#cancel();
      case 'interrupt':
        return this.#session === '' ? '' : this.#cancel();
      case 'cost':
        return undefined;
    }
  }

  read(line: string): LineReading {
    const message = this.#rpc.take(line);
    if (message === undefined) return { events: noiseOf(line) };
    const reading = this.#onMessage(message);
    if (!this.#isUnheard || reading.events.length === 0) return reading;
    this.#isUnheard = false;
    return { ...reading, events: [this.#started, ...reading.events] };
  }

  #onMessage(message: RpcMessage): LineReading {
    switch (message.kind) {
      case 'answer':
        return message.error
          ? this.#onError(message.to, message.error)
          : this.#onAnswer(message.to, message.result);
      case 'request':
        return this.#onRequest(message.id, message.method, message.params);
      case 'notice':
        return message.method === 'session/update' ? this.#onUpdate(message.params) : nothing;
      case 'stray':
        return nothing;
    }
  }

  #onAnswer(to: string, result: JsonRecord): LineReading {
    switch (to) {
      case 'initialize':
        return this.#onHello(result);
      case 'session/new':
      case 'session/resume':
      case 'session/load':
        this.#session = text(result['sessionId']) ?? this.#opening?.request.resume ?? '';
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
      const says = `it speaks version ${theirs ?? 'unknown'} of ACP, pawl version ${version}`;
      return this.#fail(`${says}; a newer or older version of the program may speak it`, 'protocol_mismatch');
    }
    this.#agentVersion = text(record(result['agentInfo'])?.['version']) ?? '';
    const { request, cwd = '' } = this.#opening ?? {};
    const place = { cwd, mcpServers: [] };
    const { resume } = this.#settings;
    if (request?.resume === undefined || resume === undefined)
      return { events: [], answer: this.#rpc.ask('session/new', place) };
    return { events: [], answer: this.#rpc.ask(resume, { sessionId: request.resume, ...place }) };
  }

  #onSession(result: JsonRecord): LineReading {
    const sessionId = this.#session;
    const { mode, model } = this.#settings;
    const options = records(result['configOptions']);
    const option = options.find(({ category, id }) => category === 'model' || id === 'model');
    const current = text(record(result['models'])?.['currentModelId']) ?? text(option?.['currentValue']);
    this.#model = model ?? current ?? '';
    if (mode !== undefined) this.#steps.push(['session/set_mode', { sessionId, modeId: mode }]);
    const configId = text(option?.['id']) ?? 'model';
    if (model !== undefined)
      this.#steps.push(['session/set_config_option', { sessionId, configId, value: model }]);
    return this.#nextStep();
  }

  #nextStep(): LineReading {
    const step = this.#steps.shift();
    if (step) return { events: [], answer: this.#rpc.ask(...step) };
    this.#waiting ??= '';
    return this.#promptWaiting() ?? nothing;
  }

  #onPromptEnd(result: JsonRecord): LineReading {
    this.#usage.takeAnswer(result);
    const said = this.#turn.end();
    const next = this.#promptWaiting();
    if (next) return { events: [...said, ...next.events], answer: next.answer };
    const heard = {
      text: this.#turn.answer,
      didAnything: this.#turn.didAnything,
      tells: this.#usage.isTold(result),
    };
    const end = {
      type: 'result',
      ...judgeStop(text(result['stopReason']) ?? '', heard),
      ...this.#usage.figures(this.#model),
    } as const;
    return { events: [...said, end, { type: 'idle' }] };
  }

  #onError(to: string, error: RpcError): LineReading {
    const said = to === 'session/prompt' ? this.#turn.end() : [];
    // Some agents answer a cancelled prompt with an error.
    const next = to === 'session/prompt' ? this.#promptWaiting() : undefined;
    if (next) return { events: [...said, ...next.events], answer: next.answer };
    const end = {
      type: 'result',
      isError: true,
      reason: 'api_error',
      ...readError(to, error),
      ...this.#usage.figures(this.#model),
    } as const;
    return { events: [...said, end, { type: 'idle' }] };
  }

  #onRequest(id: unknown, method: string, params: JsonRecord): LineReading {
    if (method !== 'session/request_permission') return { events: [], answer: this.#rpc.refuse(id, method) };
    // "Allow always" would be written to the repository or the user's settings.
    const options = records(params['options']);
    const once = options.find(({ kind }) => kind === 'allow_once');
    const outcome = once ? { outcome: 'selected', optionId: once['optionId'] } : { outcome: 'cancelled' };
    const events = this.#turn.take({ ...record(params['toolCall']), sessionUpdate: 'tool_call_update' });
    return { events, answer: this.#rpc.answer(id, { outcome }) };
  }

  #onUpdate(params: JsonRecord): LineReading {
    // A loaded session first replays its whole past.
    if (this.#opening && this.#session === '') return nothing;
    const update = record(params['update']) ?? {};
    this.#usage.takeUpdate(update);
    const events = [...this.#turn.take(update), ...this.#usage.events(update, this.#model)];
    if (this.#opening || !events.some(isOfModel)) return { events };
    // A record is read for how full the context was, which not every agent reports.
    return { events: [...events, { type: 'context', tokens: this.#usage.inContext, model: this.#model }] };
  }

  #fail(words: string, apiError: string): LineReading {
    return { events: [{ type: 'result', isError: true, text: words, apiError }, { type: 'idle' }] };
  }

  get #started(): AgentEvent {
    return { type: 'started', agentSession: this.#session, model: this.#model, version: this.#agentVersion };
  }

  #prompt(said: string): string {
    this.#turn.begin();
    this.#usage.begin();
    this.#isUnheard = true;
    return this.#rpc.ask('session/prompt', {
      sessionId: this.#session,
      prompt: [{ type: 'text', text: said }],
    });
  }

  #promptWaiting(): Required<LineReading> | undefined {
    if (this.#waiting === undefined) return undefined;
    const answer = this.#prompt(this.#waiting);
    this.#waiting = undefined;
    this.#isUnheard = false;
    return { events: [this.#started], answer };
  }

  #cancel(): string {
    return this.#rpc.tell('session/cancel', { sessionId: this.#session });
  }
}

function isOfModel({ type }: AgentEvent): boolean {
  return type === 'thought' || type === 'tool-started';
}

/** No files, no terminals: each agent has its own tools. Notices then are no part of an answer. */
const hello = {
  protocolVersion: version,
  clientInfo: { name: 'pawl', title: 'pawl', version: '1' },
  clientCapabilities: { session: { notices: {} } },
};
