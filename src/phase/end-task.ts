// What becomes of a task that did not close.

import { defined } from '../defined.ts';
import { isAway } from '../journal/state.ts';
import type { Task } from '../plan/plan.ts';
import type { WorkPlace } from '../work/landing.ts';
import type { TaskEnd } from '../work/loop/end-round.ts';
import { restoreStart } from '../work/rescue/rescue-point.ts';
import { stateOf } from '../work/work.ts';

/** `rescue`: its work, if taken out. `isAside`: it has left its lane. */
export type EndedTask = Readonly<{ task: Task; end: TaskEnd; rescue?: string | undefined; isAside?: true }>;

/** If `isNeeded`, or to complete what a kill cut off; a stopped task stays. Returns the rescue commit. */
export async function takeOut(
  place: WorkPlace,
  { task, end }: EndedTask,
  isNeeded: boolean,
): Promise<string | undefined> {
  if (end.kind === 'closed' || end.kind === 'stop') return undefined;
  const state = stateOf(place, task);
  const { start, work } = state;
  if (!start || isAway(state) || !(isNeeded || work.is === 'leaving')) return undefined;
  return restoreStart(place, { start }, `task ${task.id} ${end.kind}`);
}

export function emitEnd({ run }: WorkPlace, { task: { id: task }, end, rescue }: EndedTask): void {
  if (end.kind === 'closed' || end.kind === 'stop') return;
  const as = end.kind === 'replan' || end.kind === 'dropped' ? 'open' : end.kind;
  if (as === 'open' && rescue === undefined) return;
  run.emit({ type: 'task-set-aside', task, as, reason: end.reason, ...defined({ rescue }) });
}
