// Clocks for waits: they count only the time pawl runs, not a laptop's sleep, a Ctrl-Z stop, or a paused machine.

export interface Clock {
  /** From the start, for `ms` if given; also after it rang; while paused from `resume` on. */
  restart(ms?: number): void;
  pause(): void;
  resume(): void;
  /** Never rings after this. */
  stop(): void;
  /** Milliseconds of counted time; 0 once it rang. */
  readonly leftMs: number;
}

/** Bounds what is counted of a machine's sleep. */
const stepMs = 5_000;

/** So much longer than asked, a step was a suspension. */
const lateMs = 1_000;

/**
 * `ring` is called once, after all input that had arrived. `unref`: does not keep the process alive (default false).
 */
export function startClock(ms: number, ring: () => void, options: Readonly<{ unref?: boolean }> = {}): Clock {
  const clock = new AwakeClock(ms, ring, options.unref ?? false);
  clock.resume();
  return clock;
}

/** False if the signal came first. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false);
    const cut = () => {
      clock.stop();
      resolve(false);
    };
    const clock = startClock(ms, () => {
      signal?.removeEventListener('abort', cut);
      resolve(true);
    });
    signal?.addEventListener('abort', cut, { once: true });
  });
}

/** What a step counts: after a suspension no more than was asked for. */
export function countStep(askedMs: number, tookMs: number): number {
  return tookMs > askedMs + lateMs ? Math.min(askedMs, stepMs) : tookMs;
}

class AwakeClock implements Clock {
  #fullMs: number;
  #leftMs: number;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #since = 0;
  #askedMs = 0;
  #graced = false;
  #paused = true;
  #stopped = false;
  readonly #ring: () => void;
  readonly #unref: boolean;

  constructor(ms: number, ring: () => void, unref: boolean) {
    this.#fullMs = Math.max(0, ms);
    this.#leftMs = this.#fullMs;
    this.#ring = ring;
    this.#unref = unref;
  }

  get leftMs(): number {
    const counted = this.#timer ? countStep(this.#askedMs, performance.now() - this.#since) : 0;
    return Math.max(0, this.#leftMs - counted);
  }

  restart(ms: number = this.#fullMs): void {
    this.#cancel();
    this.#fullMs = Math.max(0, ms);
    this.#leftMs = this.#fullMs;
    this.#graced = false;
    if (!this.#paused) this.#step();
  }

  pause(): void {
    const leftMs = this.leftMs;
    this.#cancel();
    this.#leftMs = leftMs;
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#step();
  }

  stop(): void {
    this.#cancel();
    this.#stopped = true;
  }

  #step(): void {
    if (this.#stopped) return;
    this.#since = performance.now();
    this.#askedMs = Math.min(this.#leftMs, stepMs);
    this.#timer = setTimeout(() => this.#stepped(), this.#askedMs);
    if (this.#unref) this.#timer.unref();
  }

  #stepped(): void {
    const tookMs = performance.now() - this.#since;
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - countStep(this.#askedMs, tookMs));
    // Suspended past the end, pawl was not listening either: one more step, once, to hear what came.
    if (this.#leftMs === 0 && tookMs > this.#askedMs + lateMs && !this.#graced) {
      this.#graced = true;
      this.#leftMs = Math.min(this.#fullMs, stepMs);
    }
    if (this.#leftMs > 0) {
      this.#step();
      return;
    }
    // Timers come before input, which may still restart or stop this clock.
    this.#immediate = setImmediate(() => {
      this.#immediate = undefined;
      this.#ring();
    });
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#timer = undefined;
    this.#immediate = undefined;
  }
}
