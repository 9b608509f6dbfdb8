// How far the finalizing has got: its start, what it did to the run's history, its end.
import type { Fact, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';

/** Changes the run after one more fact about its finalizing. */
export function foldFinalizing(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'finalize-started':
      draft.finalizing = { started: fact, before: draft.rewrites };
      return;
    case 'history-finalized':
      draft.rewrites = [...draft.rewrites, fact];
      return;
    case 'finalize-ended':
      if (!draft.finalizing) return;
      // All of it is as it was before.
      if (fact.result === 'failed') draft.rewrites = draft.finalizing.before;
      draft.finalizing = { ...draft.finalizing, ended: fact };
      return;
  }
}
