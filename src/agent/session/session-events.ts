// Emits what an agent said: every event as activity; and as facts when the agent is up, and its usage limits and cost when
// they change.

import { defined } from '../../defined.ts';
import type { AgentEvent } from '../../event/activity.ts';
import type { Emit } from '../../event.ts';
import type { AgentInput } from './agent-input.ts';
import type { CostTracker } from './cost-tracker.ts';
import { limitFact, readyFact } from './session-facts.ts';

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
