// The gate as the engine sees it.

import { fixed } from '../../config/fixed.ts';
import type { Landing, WorkPlace } from '../../work/landing.ts';
import { stateOf } from '../../work/work.ts';
import { catchUp } from './catch-up.ts';
import { judgeGivenBack } from './judge-landing.ts';
import type { Lanes } from './lanes.ts';

/** Milliseconds that the gate is kept for a correction; then others go first. */
const holdMs = 15 * 60_000;

export function createLanding(lanes: Lanes, placeOf: () => WorkPlace): Landing {
  const { gate } = lanes;
  const givenBack = new Map<string, number>();
  let hold: NodeJS.Timeout | undefined;
  let leave: (() => void) | undefined;
  return {
    leave() {
      clearTimeout(hold);
      leave?.();
      leave = undefined;
    },
    async enter(task, onLong) {
      clearTimeout(hold);
      const { run } = placeOf();
      leave = await gate.enter(task, { signal: run.signal, longMs: fixed.correctUnderMs, onLong });
      return leave;
    },
    catchUp: (work, tree) => catchUp(lanes, placeOf(), work, tree),
    judged({ work, isMerged, unmerged, verdict }) {
      const { run, lane } = placeOf();
      const { id: task } = work.task;
      const before = givenBack.get(task) ?? 0;
      const { landed = [], conflicts = [], checks } = stateOf(placeOf(), work.task);
      const red = checks.filter(
        ({ when, result, knownRed }) => when === 'after' && result !== 'green' && !knownRed,
      );
      const reds = red.map(({ check }) => check);
      const own = new Set(work.task.checks.map(({ id }) => id));
      const back = judgeGivenBack({ isMerged, unmerged, verdict: verdict.kind, reds, own, before });
      if (!back) return false;
      givenBack.set(task, before + 1);
      const files = back.why === 'conflict' ? [...conflicts] : [];
      const what = { lane: lane?.number ?? 0, task, files, landed: [...landed], ...back };
      run.emit({ type: 'landing', state: 'given-back', ...what });
      if (back.held) hold = setTimeout(() => leave?.(), holdMs);
      return back.held;
    },
  };
}
