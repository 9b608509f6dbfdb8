// What becomes of a task that did not close: its work leaves the place if another is to be worked on there, and its end is
// journaled.

import { defined } from '../defined.ts';
import { isAway } from '../journal/state.ts';
import type { Task } from '../plan/plan.ts';
import type { WorkPlace } from '../work/landing.ts';
import type { TaskEnd } from '../work/loop/end-round.ts';
import { restoreStart } from '../work/rescue/rescue-point.ts';
import { stateOf } from '../work/work.ts';

/** How a task ended. `rescue`: its work, if that was taken out. `isAside`: it has left its place, which is a lane. */
export type EndedTask = Readonly<{ task: Task; end: TaskEnd; rescue?: string | undefined; isAside?: true }>;

/**
 * Takes its work out of the place if that `isNeeded`, and returns the rescue commit. What a kill cut off is completed,
 * whether or not the run goes on now. A stopped task stays where it is.
 */
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
