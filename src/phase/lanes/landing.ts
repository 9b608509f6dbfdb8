// The gate as the engine sees it.
import type { Verdict } from '../../work/judge/verdict.ts';
import type { Landing, WorkPlace } from '../../work/landing.ts';
import { stateOf } from '../../work/work.ts';
import { catchUp } from './catch-up.ts';
import type { Lanes } from './lanes.ts';

export function createLanding(lanes: Lanes, placeOf: () => WorkPlace): Landing {
  return {
    enter: () => lanes.gate.enter(placeOf().run.signal),
    catchUp: (work, tree) => catchUp(lanes, placeOf(), work, tree),
    judged({ work, isMerged, unmerged, verdict }) {
      const { run, lane } = placeOf();
      const { landed = [], conflicts = [], checks } = stateOf(placeOf(), work.task);
      const red = checks.filter(
        ({ when, result, knownRed }) => when === 'after' && result !== 'green' && !knownRed,
      );
      const own = new Set(work.task.checks.map(({ id }) => id));
      const othersRed = red.some(({ check }) => !own.has(check));
      const why = whyGivenBack({ isMerged, unmerged, verdict: verdict.kind, othersRed });
      const files = why === 'conflict' ? [...conflicts] : [];
      const what = { lane: lane?.number ?? 0, task: work.task.id, files, landed: [...landed] };
      if (why) run.emit({ type: 'landing', state: 'given-back', ...what, why });
    },
  };
}

/** If only its own checks are red, the task is simply not done yet. */
export function whyGivenBack(
  found: Readonly<{
    isMerged: boolean;
    unmerged: readonly string[];
    verdict: Verdict['kind'];
    /** Checks that are not its own. */
    othersRed: boolean;
  }>,
): 'conflict' | 'red' | undefined {
  const { isMerged, unmerged, verdict, othersRed } = found;
  if (verdict !== 'correct' && verdict !== 'again' && verdict !== 'fail') return undefined;
  if (unmerged.length > 0) return 'conflict';
  return isMerged && othersRed ? 'red' : undefined;
}
