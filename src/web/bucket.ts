// A rate limit: so many requests at once, and as many again over ten seconds.

/** Refilled over time by the monotonic clock. */
export class Bucket {
  readonly #size: number;
  readonly #perMs: number;
  #level: number;
  #at = performance.now();

  constructor(size: number) {
    this.#size = size;
    this.#perMs = size / 10_000;
    this.#level = size;
  }

  take(): boolean {
    const now = performance.now();
    this.#level = Math.min(this.#size, this.#level + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#level < 1) return false;
    this.#level -= 1;
    return true;
  }
}
