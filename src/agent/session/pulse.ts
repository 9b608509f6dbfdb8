// A timer by which a session checks its clocks. A late tick reports how long pawl was suspended, which is no silence of
// the agent's.

const everyMs = 100;
const lateMs = 2_000;

/** `lostMs`: 0 for a beat in time. What a beat throws goes to `fail`. */
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
    // The event loop runs timers before input: what has arrived is read first.
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
