// What a session has cost: asked for while it works, final in a result. It never decreases, and a continued
// conversation's earlier cost is subtracted.
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { noTokens, subtractTokens } from '../../event/tokens.ts';

const defaultEveryMs = 15_000;
const roundingUsd = 0.006;
const baseId = 'pawl-cost-base';

/** Cumulative. */
export type Earlier = Readonly<{ costUsd: number; tokens: Tokens }>;

export class CostTracker {
  #costUsd: number | undefined;
  #tokens: Tokens | undefined;
  #isFinal = false;
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

  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** What is known is a lower bound again. */
  reopen(atMs: number): void {
    this.#isFinal = false;
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
    if (event.type === 'result' && event.costUsd !== undefined) this.#isFinal = true;
    const before = this.#costUsd;
    if (event.costUsd !== undefined) {
      const own = Math.max(0, event.costUsd - (this.#base?.costUsd ?? 0));
      this.#costUsd = Math.max(before ?? 0, own);
    }
    if (event.type === 'result' && event.tokens !== undefined)
      this.#tokens = subtractTokens(event.tokens, this.#base?.tokens ?? noTokens);
    return (this.#costUsd ?? 0) !== (before ?? 0);
  }

  /** The journaled figure is exact, the answer in words is not. */
  #baseOf(costUsd: number): Earlier {
    const exact = this.#earlier.find((one) => Math.abs(one.costUsd - costUsd) < roundingUsd);
    if (costUsd === 0) return { costUsd: 0, tokens: noTokens };
    return exact ?? { costUsd, tokens: this.#earlier.at(-1)?.tokens ?? noTokens };
  }
}
