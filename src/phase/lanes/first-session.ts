// The first session of a run works alone for a moment: it shows whether the agent works at all, before others start
// beside it.
import type { Run } from '../../place/run.ts';

/** The longest time it is alone, in milliseconds; a refused login is reported sooner. */
const mostAloneMs = 10_000;

const lookEveryMs = 50;

/**
 * Waits until a session has reported what others depend on, or `ended` resolves, or it takes too long. False if nothing is
 * known yet, so the next session is the first again.
 */
export async function awaitFirstSession(
  run: Pick<Run, 'signal' | 'sleep' | 'state'>,
  ended: Promise<void> | undefined,
): Promise<boolean> {
  let isOver = false;
  void ended?.then(() => {
    isOver = true;
  });
  for (let waited = 0; waited < mostAloneMs; waited += lookEveryMs) {
    if (hasSpoken(run)) return true;
    if (isOver || run.signal.aborted) return false;
    await run.sleep(lookEveryMs, run.signal);
  }
  return true;
}

/**
 * True once it is running, or has done its work: not every agent reports that it is ready.
 */
function hasSpoken({ state }: Pick<Run, 'state'>): boolean {
  return [...state().sessions.values()].some(({ ready, ended }) => ended?.outcome === 'done' || ready);
}
