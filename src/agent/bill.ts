// What a session has cost so far: asked while it works, final when a result says it. It never goes down, and unknown is
// not zero.
import type { AgentEvent, Tokens } from '../event/activity.ts';

const defaultEveryMs = 15_000;
/** After so many questions without an answer an agent is not asked again. */
const maxUnanswered = 3;

/** The cost of one session, cumulative. */
export class Bill {
  #costUsd: number | undefined;
  #tokens: Tokens | undefined;
  #isFinal = false;
  #asked = 0;
  #unanswered = 0;
  #askedMs = 0;
  readonly #everyMs: number;

  /** `everyMs`: between two questions; default 15,000. */
  constructor(everyMs = defaultEveryMs) {
    this.#everyMs = everyMs;
  }

  /** US dollars; undefined: unknown. */
  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  get tokens(): Tokens | undefined {
    return this.#tokens;
  }

  /** A result named the cost after the last message. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** A message went out: what is known is a lower bound again. */
  reopen(atMs: number): void {
    this.#isFinal = false;
    this.#askedMs = atMs;
  }

  /** The id of the next question once it is time; undefined before, and when asking has proved no use. */
  question(atMs: number): string | undefined {
    if (atMs - this.#askedMs < this.#everyMs || this.#unanswered >= maxUnanswered) return undefined;
    this.#askedMs = atMs;
    this.#asked += 1;
    this.#unanswered += 1;
    return `pawl-cost-${this.#asked}`;
  }

  /** Takes an event; true when the cost is another than before. */
  take(event: AgentEvent): boolean {
    if (event.type === 'reply' && event.requestId.startsWith('pawl-cost-')) this.#unanswered = 0;
    if (event.type !== 'cost' && event.type !== 'result') return false;
    if (event.type === 'result' && event.costUsd !== undefined) this.#isFinal = true;
    const before = this.#costUsd;
    if (event.costUsd !== undefined) this.#costUsd = Math.max(before ?? 0, event.costUsd);
    if (event.tokens !== undefined) this.#tokens = event.tokens;
    return (this.#costUsd ?? 0) !== (before ?? 0);
  }
}
