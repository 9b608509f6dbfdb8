// Emits what an agent said, as activity and as facts, and what its session has cost: asked for while it works, final in
// a result.
import { defined } from '../../defined.ts';
import { type AgentEvent, noTokens, subtractTokens, type Tokens } from '../../event/activity.ts';
import type { Emit } from '../../event.ts';
import type { Earlier, SessionPlan } from './session-plan.ts';
import type { Limit } from './turn-transcript.ts';

/** Tells of each event what is news. */
export function tellEvents(
  { number: session, task }: Pick<SessionPlan, 'number' | 'task'>,
  cost: CostTracker,
  emit: Emit,
): (event: AgentEvent) => void {
  const activity = { type: 'activity', session, ...defined({ task }) } as const;
  let ready: Extract<AgentEvent, { type: 'started' }> | undefined;
  let limitSeen = '';
  let contextTokens = 0;
  /** Once, and again when the CLI swaps the model or can no longer continue the conversation. */
  const tellReady = (event: AgentEvent) => {
    const known = ready;
    if (event.type === 'started') ready ??= event;
    else if (event.type === 'model-fallback' && known) ready = { ...known, model: event.to };
    else if (event.type === 'writes-lost' && known) ready = { ...known, agentSession: '' };
    if (!ready || ready === known) return;
    const { agentSession, model, version } = ready;
    emit({ type: 'session-ready', session, agentSession, model, version });
  };
  const tellLimit = ({ status, window, utilization, resetsAt }: Limit) => {
    const more = defined({ window, utilization, resetsAt });
    const seen = JSON.stringify([status, more]);
    if (seen !== limitSeen) emit({ type: 'limit-seen', session, status, ...more });
    limitSeen = seen;
  };
  return (event) => {
    const isNews = cost.take(event);
    const { costUsd, tokens } = cost;
    if (isNews) emit({ type: 'session-cost', session, ...defined({ costUsd, tokens }) });
    tellReady(event);
    if (event.type === 'limit') tellLimit(event);
    // Not answers to pawl, nor an unchanged context.
    if (event.type === 'reply' || (event.type === 'context' && event.tokens === contextTokens)) return;
    if (event.type === 'context') contextTokens = event.tokens;
    emit({ ...activity, event });
  };
}

const defaultEveryMs = 15_000;
const roundingUsd = 0.006;
const baseId = 'pawl-cost-base';

export class CostTracker {
  costUsd: number | undefined;
  tokens: Tokens | undefined;
  isFinal = false;
  #asked = 0;
  #askedMs = 0;
  #base: Earlier | undefined;
  #isBaseNext = false;
  readonly #everyMs: number;
  readonly #earlier: readonly Earlier[];

  /**
   * `earlier`: what a continued conversation may count from. An agent that exited cleanly counts on, a killed one
   * starts from zero, so it is asked.
   */
  constructor(everyMs = defaultEveryMs, earlier: readonly Earlier[] = []) {
    this.#everyMs = everyMs;
    this.#earlier = earlier;
  }

  /** What is known is a lower bound again. */
  reopen(atMs: number): void {
    this.isFinal = false;
    this.#askedMs = atMs;
  }

  /** To be sent before the first message, if there were earlier sessions. */
  get firstQuestion(): string | undefined {
    return this.#earlier.length > 0 && this.#base === undefined ? baseId : undefined;
  }

  question(atMs: number): string | undefined {
    if (atMs - this.#askedMs < this.#everyMs) return undefined;
    this.#askedMs = atMs;
    this.#asked += 1;
    return `pawl-cost-${this.#asked}`;
  }

  take(event: AgentEvent): boolean {
    if (event.type === 'reply') this.#isBaseNext = event.requestId === baseId && this.#base === undefined;
    if (event.type !== 'cost' && event.type !== 'result') return false;
    if (event.type === 'cost' && this.#isBaseNext) {
      this.#isBaseNext = false;
      this.#base = this.#baseOf(event.costUsd);
      return false;
    }
    if (event.type === 'result' && event.costUsd !== undefined) this.isFinal = true;
    const { costUsd: before, tokens: countedBefore = noTokens } = this;
    if (event.costUsd !== undefined) {
      const own = Math.max(0, event.costUsd - (this.#base?.costUsd ?? 0));
      this.costUsd = Math.max(before ?? 0, own);
    }
    if (event.type === 'result' && event.tokens !== undefined)
      this.tokens = subtractTokens(event.tokens, this.#base?.tokens ?? noTokens);
    const counted = Object.values(subtractTokens(this.tokens ?? noTokens, countedBefore));
    return (this.costUsd ?? 0) !== (before ?? 0) || counted.some((more) => more > 0);
  }

  /** The journaled figure is exact, the answer in words is not. */
  #baseOf(costUsd: number): Earlier {
    const exact = this.#earlier.find((one) => Math.abs(one.costUsd - costUsd) < roundingUsd);
    if (costUsd === 0) return { costUsd: 0, tokens: noTokens };
    return exact ?? { costUsd, tokens: this.#earlier.at(-1)?.tokens ?? noTokens };
  }
}
