// Folds where HEAD last was, and the finalizing. After a kill only this tells what a person changed there.
import type { Fact, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';

export function foldHead(draft: Draft, fact: Stamped<Fact>): void {
  const head = headOf(fact);
  if (head !== undefined) draft.lastHead = head;
}

function headOf(fact: Stamped<Fact>): string | undefined {
  switch (fact.type) {
    case 'task-started':
      // A lane may be behind the branch.
      return fact.lane === undefined ? fact.commit : undefined;
    case 'run-squashed':
      return fact.to;
    case 'task-closed':
    case 'plan-committed':
      return fact.oid;
    case 'replan':
      return fact.state === 'ended' ? fact.oid : undefined;
    case 'task-reopened':
    case 'run-ended':
      return fact.head;
  }
  return undefined;
}

export function foldFinalizing(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'work':
      if (fact.fix) return;
      if (fact.state === 'planned') draft.finalizing = { started: fact };
      else if (draft.finalizing) draft.finalizing = { ...draft.finalizing, ended: fact };
      return;
    case 'run-squashed':
      draft.squashed = fact;
      return;
    case 'request':
      if (fact.branch === undefined) draft.request = fact;
      else draft.layers = [...(draft.layers ?? []).filter(({ branch }) => branch !== fact.branch), fact];
      return;
    case 'ci':
      draft.ci = fact;
      return;
  }
}
