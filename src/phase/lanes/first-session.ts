// The first session of a run works alone for a moment: it shows whether the agent works at all, and how full its usage
// windows are, before others start beside it.
import type { Run } from '../../place/run.ts';

/** The longest time it is alone, in milliseconds; a refused login is reported sooner. */
const mostAloneMs = 10_000;

const lookEveryMs = 50;

/** Waits until a session has reported what others depend on, or `ended` resolves, or it takes too long. */
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

/**
 * True once it is running; and if sessions must not start in a nearly full window, once it has said how full that is, which
 * comes with the model's first reply.
 */
function hasSpoken({ config, state }: Pick<Run, 'config' | 'state'>): boolean {
  const { limits, sessions } = state();
  const asksLimits = config.limits.startBelow !== undefined && limits.size === 0;
  return [...sessions.values()].some(
    ({ ready, costUsd, ended }) => ready && (!asksLimits || costUsd !== undefined || ended),
  );
}
