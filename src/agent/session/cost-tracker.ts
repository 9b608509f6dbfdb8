// Tracks what a session has cost: asked for while it works, final when a result reports it. The cost never decreases, and
// unknown is not zero. In a continued conversation the cost of earlier sessions is subtracted.
import type { AgentEvent, Tokens } from '../../event/activity.ts';
import { noTokens, subtractTokens } from '../../event/tokens.ts';

const defaultEveryMs = 15_000;
const roundingUsd = 0.006;
const baseId = 'pawl-cost-base';

/** What a conversation has cost, cumulative: US dollars and tokens. */
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
   * `everyMs`: between two questions. `earlier`: what a process that continues a conversation may start counting from. An
   * agent that exited cleanly counts on, one that was killed starts from zero, so it is asked.
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

  /** A message was sent: what is known is a lower bound again. */
  reopen(atMs: number): void {
    this.#isFinal = false;
    this.#askedMs = atMs;
  }

  /** The id of the question to send before the first message; undefined if there were no earlier sessions. */
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
