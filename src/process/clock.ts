// Clocks for waits: they count only the time pawl runs, not a laptop's sleep, a Ctrl-Z stop, or a paused machine.

/** Bounds what is counted of a machine's sleep. */
const stepMs = 5_000;

/** So much longer than asked, a step was a suspension. */
const lateMs = 1_000;

/** It never rings after `stop`. */
type Clock = Readonly<{ stop: () => void }>;

/**
 * `ring` is called once, after all input that had arrived. `unref`: does not keep the process alive (default false).
 */
export function startClock(
  ms: number,
  ring: () => void,
  { unref = false }: Readonly<{ unref?: boolean }> = {},
): Clock {
  let leftMs = Math.max(0, ms);
  let isGraced = false;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  const step = () => {
    const askedMs = Math.min(leftMs, stepMs);
    const since = performance.now();
    timer = setTimeout(() => {
      const tookMs = performance.now() - since;
      leftMs = Math.max(0, leftMs - countStep(askedMs, tookMs));
      // Suspended past the end, pawl was not listening either: one more step, once, to hear what came.
      if (leftMs === 0 && tookMs > askedMs + lateMs && !isGraced) {
        isGraced = true;
        leftMs = Math.min(ms, stepMs);
      }
      // Timers come before input, which may still stop this clock.
      if (leftMs === 0) immediate = setImmediate(ring);
      else step();
    }, askedMs);
    if (unref) timer.unref();
  };
  step();
  return {
    stop: () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    },
  };
}

/** What a step counts: after a suspension no more than was asked for. */
export function countStep(askedMs: number, tookMs: number): number {
  return tookMs > askedMs + lateMs ? Math.min(askedMs, stepMs) : tookMs;
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
