// A beat by which a session checks its clocks. A late one reports how long pawl was suspended, which is no silence of
// the agent's.
import { startClock } from '../../process/clock.ts';

const everyMs = 100;
const lateMs = 2_000;

/** `lostMs`: 0 for a beat in time. What a beat throws goes to `fail`. */
export function startPulse(
  beat: (nowMs: number, lostMs: number) => void,
  fail: (error: unknown) => void,
): () => void {
  const next = (sinceMs: number) =>
    startClock(everyMs, () => {
      const nowMs = performance.now();
      const overMs = nowMs - sinceMs - everyMs;
      clock = next(nowMs);
      try {
        beat(nowMs, overMs > lateMs ? overMs : 0);
      } catch (error) {
        fail(error);
      }
    });
  let clock = next(performance.now());
  return () => clock.stop();
}
