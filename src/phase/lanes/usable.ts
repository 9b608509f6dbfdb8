// Whether git can read a lane of the run; the files of one that it cannot are kept beside it, and the lane is made anew.
import { isReadable, setAside } from '../../git/lane/save-lane.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { hasLane, laneFolder } from './lanes.ts';

/** Whether git can read it, with a HEAD that it can read again. */
export async function isUsable(trunk: Place, { repo }: Place, number: number): Promise<boolean> {
  return hasLane(trunk, number) && isReadable(repo, trunk.run.state().started.branch);
}

/** What was done to its git folder in mid-attempt is that attempt's red, which counts as any other, and nothing for a person to mend. */
export function loseLane(trunk: Place, number: number, task: TaskState, reason: string): void {
  const { run } = trunk;
  const verdict = task.attempts + 1 >= run.config.task.attempts ? 'fail' : 'again';
  const attempt = task.attemptsEver;
  run.emit({ type: 'round-ended', task: task.id, attempt, verdict, reason, counts: true });
  giveUpLane(trunk, number, task);
}

/** Its folder is gone, or git cannot read it: the task begins again in another lane, with what was saved of its work last. */
export function giveUpLane(trunk: Place, number: number, { id, start }: TaskState): void {
  const { run } = trunk;
  const aside = setLaneAside(trunk, number);
  const what =
    aside === undefined
      ? `The folder of lane ${number} is gone`
      : `git cannot read lane ${number}, whose files are kept in ${aside}`;
  const text = `${what}: task ${id} begins again, with what was saved of its work last`;
  run.emit({ type: 'noticed', code: 'lane-gone', text });
  const rescue = run.state().rescuesOf.get(number) ?? start?.rescue ?? '';
  run.emit({ type: 'work-set-aside', task: id, rescue });
  run.emit({ type: 'lane-closed', lane: number });
}

/** Moves its folder aside, if there is one; returns where its files are then. */
export function setLaneAside(trunk: Place, number: number): string | undefined {
  const folder = laneFolder(trunk, number);
  return folder === undefined ? undefined : setAside(folder);
}
