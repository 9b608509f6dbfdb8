// Lanes with unfinished work as a stop leaves them, and what a person has changed in them by the next start.
import { commandAgain } from '../../event/again.ts';
import { asFailure, Failure } from '../../failure.ts';
import { isInWork, type TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { LeftLane } from '../../place/run.ts';
import { type Accepted, acceptTree, listNames } from '../../work/edits/external-edits.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { recordLeftTree } from '../../work/rescue/left-tree.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { createLanes, type Lanes, laneFolder, listBegun } from './lanes.ts';
import { placeLane } from './place-lane.ts';
import { chosenOf } from './shift.ts';
import { isUsable } from './usable.ts';

/** Their current state, without those that git cannot read. */
export async function recordLeftLanes(place: WorkPlace): Promise<readonly LeftLane[]> {
  const lanes = createLanes(place);
  const left: LeftLane[] = [];
  for (const number of listBegun(place).keys()) {
    const lane = placeLane(lanes, number);
    if (!(await isUsable(place, lane, number))) continue;
    try {
      const { tree, head, refused } = await recordLeftTree(lane);
      left.push({ lane: number, tree, head, refused: [...refused] });
    } catch (error) {
      if (!asFailure(error)) throw error;
    }
  }
  return left;
}

/**
 * What a person changed in each lane, determined before any of it is accepted; throws a refusal if that was not asked for.
 */
export async function acceptLanes(
  lanes: Lanes,
  begun: readonly (readonly [number, TaskState])[],
): Promise<ReadonlyMap<number, Accepted>> {
  const { trunk } = lanes;
  const accepted = new Map<number, Accepted>();
  for (const [number, { catchingUp }] of begun) {
    const left = trunk.run.options.leftLanes?.find(({ lane }) => lane === number);
    const lane = placeLane(lanes, number);
    if (!left || !(await isUsable(trunk, lane, number))) continue;
    const refusal = catchingUp && ((list: string) => inMidMove(lane, number, list));
    const found = await acceptTree(lane, left, refusal);
    if (found) accepted.set(number, found);
  }
  return accepted;
}

/**
 * The Failure of a lane that was killed in the middle of a move: the move is completed, and nobody can tell which of its
 * files are older.
 */
function inMidMove({ repo }: Place, number: number, list: string): Failure {
  const what = `files changed in lane ${number} (${repo.root}), which the stop left half merged with what landed`;
  return new Failure('preflight', `${what}: ${list}`, {
    hint: 'Keep a copy elsewhere and undo the changes there: the same command then goes through with the merge. Once the run has stopped again you can make them there.',
  });
}

/** Whether the next work may be done in lanes, which do not see the run's own tree. */
function mayBeInLanes(trunk: WorkPlace): boolean {
  const { config, options, state } = trunk.run;
  const { lanes, tasks } = state();
  if (lanes.size > 0) return true;
  if (config.jobs === 1 || options.task !== undefined) return false;
  const set = [...tasks.values()].filter(({ standing }) => standing !== 'open').map(({ id }) => id);
  return chosenOf(trunk, readPlanSnapshot(trunk).plan, { excluded: new Set(set) }).length > 1;
}

/**
 * Gives a person's changes in the run's own tree to the one task they are meant for, for its start in a lane; throws a
 * refusal if that is not clear.
 */
export async function giveToTask(trunk: WorkPlace, taken: readonly string[] | undefined): Promise<void> {
  const { run } = trunk;
  const { tasks } = run.state();
  if (taken === undefined || !mayBeInLanes(trunk)) return;
  const isOpen = ({ standing }: TaskState) => standing !== 'closed' && standing !== 'closed-by-hand';
  const open = [...tasks.values()].filter(isOpen);
  const named = run.options.task;
  const meant = open.filter(({ id }) => named === undefined || id === named);
  // A task in work in this tree continues in it, with everything that is there.
  if (meant.some((each) => isInWork(each) && each.start?.lane === undefined)) return;
  const [task, ...others] = meant;
  const list = listNames(taken);
  if (task === undefined || others.length > 0)
    throw new Failure('preflight', `it is not clear which open task is to get what you changed: ${list}`, {
      hint: `Name it: \`${commandAgain(run.state(), '--take-edits --task N ')}\`. That start works on task N alone; without --task the next one does the rest.`,
    });
  const { id, start } = task;
  if (isInWork(task) && start?.lane !== undefined)
    throw new Failure(
      'preflight',
      `task ${id} is in progress in a lane, which does not have what you changed: ${list}`,
      { hint: `Make the change in ${laneFolder(trunk, start.lane)} instead, and restore the files here.` },
    );
  const rescue = await saveRescuePoint(trunk, `what a person gives to task ${id}`);
  run.emit({ type: 'edits-given', task: id, files: [...taken], rescue });
}
