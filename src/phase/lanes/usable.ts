// Whether git can read a lane of the run. The files of a broken lane are kept beside it, and the lane is made anew.
import { Failure } from '../../failure.ts';
import { isReadable, setAside } from '../../git/lane/save-lane.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { writeEvidence } from '../../work/restart-files.ts';
import { hasLane, laneFolder } from './lanes.ts';

/** Whether git can read it and its HEAD. */
export async function isUsable(trunk: Place, { repo }: Place, number: number): Promise<boolean> {
  return hasLane(trunk, number) && isReadable(repo, trunk.run.state().started.branch);
}

/**
 * Damage to its git folder in mid-attempt turns that attempt red, which counts like any other; there is nothing for a
 * person to fix. While the task is closing it ends the run: the next start checks whether the commit landed.
 */
export function loseLane(trunk: Place, number: number, task: TaskState, error: Failure): void {
  const { run } = trunk;
  const { id, attempts, attemptsEver: attempt } = task;
  if (run.state().closing?.task === id) {
    const hint = `The same command starts task ${id} again, with what was saved of its work.`;
    throw new Failure(error.code, error.message, { hint });
  }
  const reason = error.message;
  const verdict = attempts + 1 >= run.config.task.attempts ? 'fail' : 'again';
  const evidence = `An earlier session worked on this task and did not finish it: ${reason} Leave the git folder alone: without it the attempt is lost, with what it changed.`;
  writeEvidence(trunk, id, evidence);
  run.emit({ type: 'round-ended', task: id, attempt, verdict, reason, counts: true });
  giveUpLane(trunk, number, task);
}

/**
 * Its folder is gone or git cannot read it: the task, unless it has failed, begins again in another lane, with the last
 * saved state of its work.
 */
export function giveUpLane(trunk: Place, number: number, { id, start }: TaskState): void {
  const { run } = trunk;
  const aside = setLaneAside(trunk, number);
  const what =
    aside === undefined
      ? `The folder of lane ${number} is gone`
      : `git cannot read lane ${number}, whose files are kept in ${aside}`;
  const { tasks, rescuesOf } = run.state();
  // If it was lost before the task began, there is none.
  const rescue = rescuesOf.get(number) ?? start?.rescue;
  const withWhat = rescue === undefined ? '' : ', with what was last saved of its work';
  const hasFailed = tasks.get(id)?.lastRound?.verdict === 'fail';
  const then = hasFailed ? '' : `: task ${id} starts again${withWhat}`;
  run.emit({ type: 'noticed', code: 'lane-gone', text: `${what}${then}` });
  if (rescue !== undefined) run.emit({ type: 'task-set-aside', task: id, as: 'open', reason: what, rescue });
  run.emit({ type: 'lane-closed', lane: number });
}

/** Moves its folder aside, if it exists; returns where its files are then. */
export function setLaneAside(trunk: Place, number: number): string | undefined {
  const folder = laneFolder(trunk, number);
  return folder === undefined ? undefined : setAside(folder);
}
