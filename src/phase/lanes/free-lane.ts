// A lane between two tasks.
import { isAway, type TaskState } from '../../journal/state.ts';
import { type Plan, saysSame, type Task } from '../../plan/plan.ts';
import { startOver } from '../../work/begin.ts';
import { findWork } from '../../work/kind/fix.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { writeTreeAgainst, writeWorkTree } from '../../work/tree/work-tree.ts';
import { stateOf } from '../../work/work.ts';
import { type EndedTask, emitEnd, takeOut } from '../end-task.ts';
import { givePlan } from './catch-up.ts';
import { soundHeadOf } from './incoming.ts';
import type { Lanes } from './lanes.ts';
import { moveKnownLane, moveLane } from './move-lane.ts';

export async function bringToHead(lanes: Lanes, lane: WorkPlace): Promise<void> {
  const { trunk } = lanes;
  const head = await soundHeadOf(lanes);
  const reason = 'what a lane held before its next task';
  const [from = '', own, tree = ''] = (
    await lane.repo.git(['rev-parse', 'HEAD', 'HEAD^{tree}', `${head}^{tree}`])
  ).split('\n');
  const known = (await writeTreeAgainst(lane, 'HEAD')).tree;
  const move = { known, tree, commit: head, reason };
  await (known === own ? moveKnownLane(lane, { ...move, from }) : moveLane(lane, move));
  givePlan(trunk, lane);
}

/** Gives a lane its task's current plan, and merges its work with what came along. */
export async function bringPlan(lane: WorkPlace, task: Task): Promise<void> {
  const planSnapshot = readPlanSnapshot(lane);
  const work = findWork(lane, planSnapshot, task.id);
  if (!work || saysSame(work.task, task)) return;
  await lane.landing?.catchUp(work, await writeWorkTree(lane, work, 'session'));
}

export function isSameTask(plan: Plan, { id, start }: TaskState): boolean {
  return plan.tasks.some((task) => task.id === id && task.title === start?.title);
}

/** A failed task is journaled only once no planner has changed the plan for it. */
export async function leaveLane(lane: WorkPlace, ended: EndedTask): Promise<EndedTask> {
  const { task, end } = ended;
  const state = stateOf(lane, task);
  const isOther = end.kind === 'dropped' && !isSameTask(readPlanSnapshot(lane).plan, state);
  if (isOther && state.start && !isAway(state))
    return { ...ended, rescue: await startOver(lane, state), isAside: true };
  const left = { ...ended, rescue: await takeOut(lane, ended, true), isAside: true } as const;
  if (end.kind !== 'failed') emitEnd(lane, left);
  return left;
}
