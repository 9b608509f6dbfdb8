// Where HEAD was when the run last spoke of it: after a kill there is no other word of what a person found there.
import type { Fact } from '../event.ts';
import type { Draft } from './fold-run.ts';

/** Changes it after one more fact. What a finalizing does to the history holds only once that has ended, and is told apart. */
export function foldHead(draft: Draft, fact: Fact): void {
  switch (fact.type) {
    case 'task-started':
      draft.lastHead = fact.commit;
      return;
    case 'history-finalized':
      if (fact.task === undefined) draft.lastHead = fact.to;
      return;
    case 'task-closed':
    case 'plan-committed':
    case 'replan-ended':
      if (fact.oid !== undefined) draft.lastHead = fact.oid;
      return;
    case 'task-reopened':
    case 'run-ended':
      if (fact.head !== undefined) draft.lastHead = fact.head;
      return;
  }
}
