// Folds where HEAD last was, and the finalizing. After a kill only this tells what a person changed there.
import type { Fact, Stamped } from '../event.ts';
import { withFixAt } from './fold-review.ts';
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
    case 'plan-archived':
      return fact.state === 'done' ? fact.oid : undefined;
    case 'work':
      return fact.state === 'ended' ? fact.oid : undefined;
    case 'commits-moved':
      return fact.head;
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
      draft.requests = new Map(draft.requests).set(fact.branch, fact);
      return;
    case 'commits-moved':
      for (const { task, to } of fact.moved) moveCommit(draft, task, to);
      return;
    case 'ci':
      draft.ci = fact;
      return;
  }
}

function moveCommit(draft: Draft, id: string, oid: string): void {
  const task = draft.tasks.get(id);
  if (task?.closed) draft.tasks = new Map(draft.tasks).set(id, { ...task, closed: { ...task.closed, oid } });
  draft.review = withFixAt(draft.review, id, oid);
}
