// The first session of a run works alone for a moment: it shows whether the agent can work at all, and how full its usage windows
// are, before others begin beside it.
import type { Run } from '../../place/run.ts';

/** How long it is alone at most, milliseconds: a login that is refused is told sooner. */
const mostAloneMs = 10_000;

const lookEveryMs = 50;

/** Waits until a session has said what others go by, `ended` is settled, or that takes too long. */
export async function awaitFirstSession(
  run: Pick<Run, 'config' | 'signal' | 'sleep' | 'state'>,
  ended: Promise<void> | undefined,
): Promise<void> {
  let isOver = false;
  void ended?.then(() => {
    isOver = true;
  });
  for (let waited = 0; waited < mostAloneMs && !hasSpoken(run) && !isOver; waited += lookEveryMs) {
    if (run.signal.aborted) return;
    await run.sleep(lookEveryMs, run.signal);
  }
}

/** That it is up; and where none begins in a window that is nearly full, how full it is, which comes with the model's first reply. */
function hasSpoken({ config, state }: Pick<Run, 'config' | 'state'>): boolean {
  const { limits, sessions } = state();
  const asksLimits = config.limits.startBelow !== undefined && limits.size === 0;
  return [...sessions.values()].some(
    ({ ready, costUsd, ended }) => ready && (!asksLimits || costUsd !== undefined || ended),
  );
}
