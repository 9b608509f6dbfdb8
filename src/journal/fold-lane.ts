// Folds facts about lanes: which there are, whether they can be believed, and what was saved of each last.
import type { Fact, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';

/** Changes the run's lanes after one more fact. */
export function foldLanes(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'lane-opened':
      draft.lanes = new Map(draft.lanes).set(fact.lane, fact);
      return;
    case 'lane-closed':
      draft.lanes = new Map([...draft.lanes].filter(([number]) => number !== fact.lane));
      return;
    case 'lane-tried':
      draft.lanesTried = fact;
      return;
    case 'rescue-saved':
      if (fact.lane !== undefined) draft.rescuesOf = new Map(draft.rescuesOf).set(fact.lane, fact.oid);
      return;
    case 'run-resumed':
      // Who starts again may have mended what differed.
      delete draft.lanesTried;
      return;
  }
}
