// Folds re-plans, and the tasks that begin anew after one.

import type { Fact, FactOf, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';
import { isAway, type Replan, type TaskState } from './state.ts';

export function foldReplan(draft: Draft, fact: Stamped<Fact>): void {
  if (fact.type !== 'replan') return;
  switch (fact.state) {
    case 'started':
      draft.replans = [...draft.replans, { started: fact }];
      return;
    case 'taking':
      update(draft, fact.replan, { taking: fact });
      return;
    case 'ended':
      update(draft, fact.replan, { ended: fact });
      if (fact.result === 'taken') beginAnew(draft, fact);
      return;
  }
}

function update(draft: Draft, number: number, change: Partial<Replan>): void {
  draft.replans = draft.replans.map((one) => (one.started.replan === number ? { ...one, ...change } : one));
}

/** The tree is the last commit's: every begun task begins again, and those the re-plan is about get new attempts. */
function beginAnew(draft: Draft, { replan: number, rescue }: FactOf<'replan-ended'>): void {
  const replan = draft.replans.find(({ started }) => started.replan === number);
  const meant = new Set([replan?.started.task, ...(replan?.taking?.changed ?? [])]);
  draft.tasks = new Map(
    [...draft.tasks].map(([id, task]) => [
      id,
      isOver(task) ? task : anew(task, { isMeant: meant.has(id), rescue }),
    ]),
  );
}

function isOver({ standing }: TaskState): boolean {
  return standing === 'closed' || standing === 'closed-by-hand';
}

function anew(
  task: TaskState,
  { isMeant, rescue }: Readonly<{ isMeant: boolean; rescue: string | undefined }>,
): TaskState {
  // Work taken away earlier is in another rescue.
  const { work } = task;
  const isOther = (work.is === 'leaving' || work.is === 'returning') && work.rescue !== rescue;
  const begun: TaskState =
    task.start === undefined || isAway(task)
      ? task
      : { ...task, work: isOther ? { is: 'saved', rescue: work.rescue } : { is: 'discarded', rescue } };
  if (!isMeant || (task.standing !== 'open' && task.standing !== 'failed')) return begun;
  return { ...begun, standing: 'open', attempts: 0, counted: [] };
}
