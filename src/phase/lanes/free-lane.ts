// A lane between two tasks: moved to the branch's head before one begins, and cleared of its work if that did not close.
import type { TaskState } from '../../journal/state.ts';
import { type Plan, saysSame, type Task } from '../../plan/plan.ts';
import { findWork } from '../../work/kind/fix.ts';
import type { TaskEnd } from '../../work/loop/end-round.ts';
import { writeWorkTree } from '../../work/note-tree.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { stateOf } from '../../work/work.ts';
import { givePlan } from './catch-up.ts';
import { noteOthersCommits, soundHeadOf } from './incoming.ts';
import type { Lanes } from './lanes.ts';
import { moveKnownLane, moveLane } from './move-lane.ts';

/** When a task begins in a lane, the lane contains only what has landed, and what a person gives to that task. */
export async function bringToHead(lanes: Lanes, lane: WorkPlace, task: Task): Promise<void> {
  const { trunk } = lanes;
  const head = await soundHeadOf(lanes);
  await noteOthersCommits(trunk, head);
  const reason = 'what a lane held before its next task';
  const [from = '', own, tree = ''] = (
    await lane.repo.git(['rev-parse', 'HEAD', 'HEAD^{tree}', `${head}^{tree}`])
  ).split('\n');
  const known = (await lane.ports.repository.writeTree(lane, 'HEAD')).tree;
  const move = { known, tree, commit: head, reason };
  await (known === own ? moveKnownLane(lane, { ...move, from }) : moveLane(lane, move));
  givePlan(trunk, lane);
  const { givenEdits } = stateOf(lane, task);
  if (givenEdits === undefined) return;
  const { rescue, files } = givenEdits;
  const left = await lane.ports.repository.replay(lane, rescue, { only: new Set(files) });
  if (left.length === 0) return;
  const text = `Others changed ${left.join(', ')} meanwhile: what you gave of it to task ${task.id} is left out, and kept in the commit ${rescue} (\`git show ${rescue}:<file>\`).`;
  lane.run.emit({ type: 'noticed', code: 'given-edits', text });
}

/**
 * Gives a lane the current plan of its task, if that differs from what the lane has, and merges its work with what came
 * along.
 */
export async function bringPlan(lane: WorkPlace, task: Task): Promise<void> {
  const planSnapshot = readPlanSnapshot(lane);
  const work = findWork(lane, planSnapshot, task.id);
  if (!work || saysSame(work.task, task)) return;
  await lane.landing?.catchUp(work, await writeWorkTree(lane, work, 'session'));
}

/** Whether the task of that number in the plan is still the one that was begun. */
export function isSameTask(plan: Plan, { id, start }: TaskState): boolean {
  return plan.tasks.some((task) => task.id === id && task.title === start?.title);
}

/** The task that now has this number begins anew; what was done under the number before is in a rescue commit. */
export async function startOver(lane: WorkPlace, { id, start }: TaskState): Promise<{ rescue?: string }> {
  if (!start) return {};
  const rescue = await lane.ports.repository.restoreStart(lane, { start }, `task ${id}: ${start.title}`);
  const detail = `the plan has another one by its number; the work on “${start.title}” is kept: pawl rescue show ${rescue.slice(0, 10)}`;
  lane.run.emit({ type: 'task-reopened', task: id, by: 'hand', detail });
  return { rescue };
}

/**
 * Frees the lane for others: the work of a task that did not close moves into a rescue commit. A stopped task continues
 * there.
 */
export async function takeOut(lane: WorkPlace, task: Task, end: TaskEnd): Promise<{ rescue?: string }> {
  if (end.kind === 'closed' || end.kind === 'stopped') return {};
  const { start, takenAway } = stateOf(lane, task);
  if (!start || takenAway) return {};
  const isOther = end.kind === 'dropped' && !isSameTask(readPlanSnapshot(lane).plan, stateOf(lane, task));
  if (isOther) return startOver(lane, stateOf(lane, task));
  const reason = `task ${task.id} ${end.kind}`;
  const rescue = await lane.ports.repository.restoreStart(lane, { start }, reason);
  // That it failed is journaled once nothing re-plans it.
  if (end.kind === 'failed') return { rescue };
  const as = end.kind === 'parked' || end.kind === 'skipped' ? end.kind : 'open';
  lane.run.emit({ type: 'task-set-aside', task: task.id, as, reason: end.reason, rescue });
  return { rescue };
}
