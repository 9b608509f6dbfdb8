// What becomes of a task that did not close.
import { defined } from '../defined.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { isAway } from '../journal/state.ts';
import type { Place } from '../place/place.ts';
import type { Task } from '../plan/plan.ts';
import type { WorkPlace } from '../work/landing.ts';
import type { TaskEnd } from '../work/loop/end-round.ts';
import { bringTreeTo, replayPoint, restoreStart } from '../work/rescue/rescue-point.ts';
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

export async function setWorkAside(place: Place): Promise<void> {
  const { started, carry } = place.run.state();
  if (readHead(place.repo).branch !== started.branch) return;
  await bringTreeTo(place, 'HEAD', {
    reason: `unfinished work when ${carry?.fenced?.by.host ?? 'another machine'} had taken the run up`,
    // Journaled first: after a kill it is brought back once more, which changes nothing.
    tell: (rescue) => place.run.emit({ type: 'carry', state: 'work-aside', rescue }),
  });
}

export async function bringWorkBack(place: WorkPlace): Promise<void> {
  const { workAside } = place.run.state();
  if (workAside === undefined) return;
  const left = await replayPoint(place, workAside, { withPlan: true });
  place.run.emit({ type: 'carry', state: 'work-back', rescue: workAside, left: [...left] });
}
