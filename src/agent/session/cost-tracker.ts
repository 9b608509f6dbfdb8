// Tracks what a session has cost: asked for while it works, final when a result reports it. The cost never decreases, and
// unknown is not zero. In a continued conversation the cost of earlier sessions is subtracted.
import type { AgentEvent, Tokens } from '../../event/activity.ts';

const defaultEveryMs = 15_000;
const defaultReplyMs = 5_000;
/** After this many unanswered questions an agent is not asked again until it answers one. */
const maxUnanswered = 3;
const roundingUsd = 0.006;
const baseId = 'pawl-cost-base';

/** What a conversation has cost, cumulative: US dollars and tokens. */
export type Earlier = Readonly<{ costUsd: number; tokens: Tokens }>;

/** Its waits, milliseconds. */
export type CostClocks = Readonly<{
  /** Between two questions. Default 15,000. */
  everyMs?: number | undefined;
  /** For an answer. Default 5,000. */
  replyMs?: number | undefined;
}>;

export class CostTracker {
  #costUsd: number | undefined;
  #tokens: Tokens | undefined;
  #isFinal = false;
  #asked = 0;
  #unanswered = 0;
  #askedMs = 0;
  /** When the open question was asked. */
  #openMs: number | undefined;
  /** What the process began with. */
  #base: Earlier | undefined;
  #isBaseNext = false;
  readonly #everyMs: number;
  readonly #replyMs: number;
  readonly #earlier: readonly Earlier[];

  /**
   * `earlier`: what a process that continues a conversation may start counting from. An agent that exited cleanly counts
   * on, one that was killed starts from zero, so it is asked.
   */
  constructor({ everyMs, replyMs }: CostClocks = {}, earlier: readonly Earlier[] = []) {
    this.#everyMs = everyMs ?? defaultEveryMs;
    this.#replyMs = replyMs ?? defaultReplyMs;
    this.#earlier = earlier;
  }

  /** US dollars; undefined: unknown. */
  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  /** A result reported the cost after the last message. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** A message was sent: what is known is a lower bound again. */
  reopen(atMs: number): void {
    this.#isFinal = false;
    this.#askedMs = atMs;
    this.#openMs = undefined;
  }

  /** The id of the question to send before the first message; undefined if there were no earlier sessions. */
  get firstQuestion(): string | undefined {
    return this.#earlier.length > 0 && this.#base === undefined ? baseId : undefined;
  }

  /** The id of the next question once it is due; undefined before that, and if asking has proved useless. */
  question(atMs: number): string | undefined {
    if (atMs - this.#askedMs < this.#everyMs || this.#unanswered >= maxUnanswered) return undefined;
    this.#askedMs = atMs;
    this.#openMs = atMs;
    this.#asked += 1;
    return `pawl-cost-${this.#asked}`;
  }

  /** Once: how long each question waited, when the agent has left so many unanswered that it will not be asked again. */
  unanswered(atMs: number): { afterMs: number } | undefined {
    if (this.#openMs === undefined || atMs - this.#openMs < this.#replyMs) return undefined;
    this.#openMs = undefined;
    this.#unanswered += 1;
    return this.#unanswered === maxUnanswered ? { afterMs: this.#replyMs } : undefined;
  }

  /** Takes an event; returns true if the cost changed. */
  take(event: AgentEvent): boolean {
    if (event.type === 'reply') this.#takeReply(event.requestId);
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
    if (event.tokens !== undefined) this.#tokens = without(event.tokens, this.#base?.tokens);
    return (this.#costUsd ?? 0) !== (before ?? 0);
  }

  #takeReply(id: string): void {
    this.#isBaseNext = id === baseId && this.#base === undefined;
    if (!id.startsWith('pawl-cost-')) return;
    this.#unanswered = 0;
    this.#openMs = undefined;
  }

  /** The journaled figure is exact, the answer in words is not. */
  #baseOf(costUsd: number): Earlier {
    const exact = this.#earlier.find((one) => Math.abs(one.costUsd - costUsd) < roundingUsd);
    if (costUsd === 0) return { costUsd: 0, tokens: noTokens };
    return exact ?? { costUsd, tokens: this.#earlier.at(-1)?.tokens ?? noTokens };
  }
}

const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function without(tokens: Tokens, base: Tokens = noTokens): Tokens {
  const rest = (key: keyof Tokens) => Math.max(0, tokens[key] - base[key]);
  return {
    input: rest('input'),
    output: rest('output'),
    cacheRead: rest('cacheRead'),
    cacheWrite: rest('cacheWrite'),
  };
}
