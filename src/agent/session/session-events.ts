// Emits what an agent said: every event as activity; and as facts when the agent is up, and its usage limits and cost when
// they change.

import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { Emit, FactOf } from '../../event.ts';
import type { Process } from '../../process/sweep.ts';
import type { AgentInput } from './agent-input.ts';
import type { CostTracker } from './cost-tracker.ts';
import type { SessionEnd, Turn } from './session-plan.ts';

export type SessionEventsOptions = Readonly<{
  session: number;
  task?: string | undefined;
  emit: Emit;
  cost: CostTracker;
}>;

export class SessionEvents {
  readonly #session: number;
  readonly #place: Readonly<{ session: number; task?: string }>;
  readonly #emit: Emit;
  readonly #cost: CostTracker;
  #ready: Extract<AgentEvent, { type: 'started' }> | undefined;
  #limitSeen = '';
  #contextTokens = 0;

  constructor({ session, task, emit, cost }: SessionEventsOptions) {
    this.#session = session;
    this.#place = { session, ...defined({ task }) };
    this.#emit = emit;
    this.#cost = cost;
  }

  /** Takes one event of the agent. */
  take(event: AgentEvent): void {
    if (this.#cost.take(event)) this.#tellCost();
    this.#tellReady(event);
    if (event.type === 'limit') this.#tellLimit(event);
    if (this.#isNews(event)) this.#emit({ type: 'activity', ...this.#place, event });
  }

  /** Reports a line that was too long to parse: what it said is missing from what is known about the session. */
  tellTooLong(bytes: number): void {
    const text = `session ${this.#session} printed a line of ${Math.round(bytes / 1e6)} MB, too long to be read; only its raw record has it`;
    this.#emit({ type: 'noticed', code: 'long-line', text });
  }

  /** Asks what it has cost so far, when due; an agent that does not answer is eventually no longer asked. */
  ask(nowMs: number, input: AgentInput): void {
    if (!input.canAsk) return;
    const late = this.#cost.unanswered(nowMs);
    if (late) this.#emit({ type: 'clock-rang', session: this.#session, clock: 'reply', ...late });
    input.ask(this.#cost.question(nowMs));
  }

  /** Answers to pawl's own questions are not news, nor is an unchanged context. */
  #isNews(event: AgentEvent): boolean {
    if (event.type !== 'context') return event.type !== 'reply';
    const isNew = event.tokens !== this.#contextTokens;
    this.#contextTokens = event.tokens;
    return isNew;
  }

  #tellCost(): void {
    const { costUsd, tokens } = this.#cost;
    if (costUsd === undefined) return;
    this.#emit({ type: 'session-cost', session: this.#session, costUsd, ...defined({ tokens }) });
  }

  /** Once, and again when the CLI swaps the model, or can no longer continue the conversation. */
  #tellReady(event: AgentEvent): void {
    const known = this.#ready;
    if (event.type === 'started') this.#ready ??= event;
    else if (event.type === 'model-fallback' && known) this.#ready = { ...known, model: event.to };
    else if (event.type === 'writes-lost' && known) this.#ready = { ...known, agentSession: '' };
    if (this.#ready && this.#ready !== known) this.#emit(readyFact(this.#session, this.#ready));
  }

  #tellLimit(event: Extract<AgentEvent, { type: 'limit' }>): void {
    const fact = limitFact(this.#session, event);
    const seen = JSON.stringify(fact);
    if (seen !== this.#limitSeen) this.#emit(fact);
    this.#limitSeen = seen;
  }
}

function readyFact(
  session: number,
  event: Extract<AgentEvent, { type: 'started' }>,
): FactOf<'session-ready'> {
  const { agentSession, model, version } = event;
  return { type: 'session-ready', session, agentSession, model, version };
}

function limitFact(session: number, event: Extract<AgentEvent, { type: 'limit' }>): FactOf<'limit-seen'> {
  const { status, window, resetsAt, windows } = event;
  const utilization = windows.find(({ name }) => name === window)?.utilization;
  return { type: 'limit-seen', session, status, ...defined({ window, utilization, resetsAt }) };
}

export function turnFact(session: number, number: number, turn: Turn): FactOf<'turn-ended'> {
  const { kind: outcome, reason } = turn.outcome;
  const { contextShare } = turn;
  const until = turn.outcome.kind === 'limited' ? turn.outcome.until : undefined;
  const suspectsLimit = turn.outcome.kind === 'overloaded' ? turn.outcome.suspectsLimit : undefined;
  const more = defined({ contextShare, until, suspectsLimit });
  return { type: 'turn-ended', session, turn: number, outcome, reason, ...more };
}

export function leftoversFact(session: number, processes: readonly Process[]): FactOf<'leftovers-ended'> {
  const listed = processes.map(({ pid, command }) => ({ pid, command }));
  return { type: 'leftovers-ended', session, processes: listed };
}

export function endFact(session: number, end: SessionEnd): FactOf<'session-ended'> {
  const { outcome, leftovers: _, costUsd, tokens, ...figures } = end;
  const { kind, reason } = outcome;
  const cost = defined({ costUsd, tokens });
  return { type: 'session-ended', session, outcome: kind, reason, ...cost, ...figures };
}

/** Why a session that prints without end was ended. */
export function describeFlood(mostBytes: number): string {
  return `it printed more than ${Math.round(mostBytes / 1024 ** 2)} MB; what came after that was not kept`;
}

/** Why a session was interrupted from outside, in words. */
export function formatAbort(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return typeof reason === 'string' ? reason : 'pawl was interrupted';
}
