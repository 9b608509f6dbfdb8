// Emits what an agent said, as activity and as facts.

import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { Emit, FactOf } from '../../event.ts';
import type { Process } from '../../process/sweep.ts';
import type { CostTracker } from './cost-tracker.ts';
import type { Turn } from './session-plan.ts';

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

  take(event: AgentEvent): void {
    if (this.#cost.take(event)) this.#tellCost();
    this.#tellReady(event);
    if (event.type === 'limit') this.#tellLimit(event);
    if (this.#isNews(event)) this.#emit({ type: 'activity', ...this.#place, event });
  }

  tellTooLong(bytes: number): void {
    const text = `session ${this.#session} printed a line of ${Math.round(bytes / 1e6)} MB, which was too long to be read or kept`;
    this.#emit({ type: 'noticed', code: 'long-line', text });
  }

  /** Not answers to pawl, nor an unchanged context. */
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

  /** Once, and again when the CLI swaps the model or can no longer continue the conversation. */
  #tellReady(event: AgentEvent): void {
    const known = this.#ready;
    if (event.type === 'started') this.#ready ??= event;
    else if (event.type === 'model-fallback' && known) this.#ready = { ...known, model: event.to };
    else if (event.type === 'writes-lost' && known) this.#ready = { ...known, agentSession: '' };
    if (!this.#ready || this.#ready === known) return;
    const { agentSession, model, version } = this.#ready;
    this.#emit({ type: 'session-ready', session: this.#session, agentSession, model, version });
  }

  #tellLimit({ status, window, resetsAt, windows }: Extract<AgentEvent, { type: 'limit' }>): void {
    const utilization = windows.find(({ name }) => name === window)?.utilization;
    const more = defined({ window, utilization, resetsAt });
    const seen = JSON.stringify([status, more]);
    if (seen !== this.#limitSeen) this.#emit({ type: 'limit-seen', session: this.#session, status, ...more });
    this.#limitSeen = seen;
  }
}

export function turnFact(
  session: number,
  turn: number,
  { outcome, contextShare, lessons }: Turn,
): FactOf<'turn-ended'> {
  const { kind, reason } = outcome;
  const until = kind === 'limited' ? outcome.until : undefined;
  const suspectsLimit = kind === 'overloaded' ? outcome.suspectsLimit : undefined;
  const more = defined({ contextShare, until, suspectsLimit });
  const left = lessons.length === 0 ? {} : { lessons: [...lessons] };
  return { type: 'turn-ended', session, turn, outcome: kind, reason, ...more, ...left };
}

export function leftoversFact(session: number, processes: readonly Process[]): FactOf<'leftovers-ended'> {
  const listed = processes.map(({ pid, command }) => ({ pid, command }));
  return { type: 'leftovers-ended', session, processes: listed };
}
