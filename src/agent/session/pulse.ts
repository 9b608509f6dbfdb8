// A timer that lets a session check its clocks ten times a second. Time during which pawl was suspended does not count as
// agent silence: a late tick reports how much was lost.

const everyMs = 100;
const lateMs = 2_000;

/** Beats until it is stopped; `lostMs` is 0 for every beat in time. Whatever a beat throws goes to `fail`. */
export function startPulse(
  beat: (nowMs: number, lostMs: number) => void,
  fail: (error: unknown) => void,
): () => void {
  let lastMs = performance.now();
  let immediate: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const overMs = nowMs - lastMs - everyMs;
    lastMs = nowMs;
    // In the event loop timers come before input: input that has already arrived is read first.
    immediate = setImmediate(() => {
      try {
        beat(performance.now(), overMs > lateMs ? overMs : 0);
      } catch (error) {
        fail(error);
      }
    });
  }, everyMs);
  return () => {
    clearInterval(timer);
    clearImmediate(immediate);
  };
}
