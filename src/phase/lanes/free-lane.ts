// A lane between two tasks: brought to the branch's head before one begins, freed of its work where it did not close.
import type { Task } from '../../plan/plan.ts';
import type { TaskEnd } from '../../work/loop/end-round.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { stateOf } from '../../work/work.ts';
import { givePlan } from './catch-up.ts';
import { headOf, noteOthersCommits } from './incoming.ts';
import { moveKnownLane, moveLane } from './move-lane.ts';

/** A lane between two tasks holds nothing but what landed. */
export async function bringToHead(trunk: WorkPlace, lane: WorkPlace): Promise<void> {
  const head = await headOf(trunk);
  await noteOthersCommits(trunk, head);
  const reason = 'what a lane held before its next task';
  const [from = '', own, tree = ''] = (
    await lane.repo.git(['rev-parse', 'HEAD', 'HEAD^{tree}', `${head}^{tree}`])
  ).split('\n');
  const known = (await lane.ports.repository.writeTree(lane, 'HEAD')).tree;
  const move = { known, tree, commit: head, reason };
  await (known === own ? moveKnownLane(lane, { ...move, from }) : moveLane(lane, move));
  givePlan(trunk, lane);
}

/** The lane is free for others: what a task that did not close has done is a rescue. A stopped one goes on there. */
export async function takeOut(lane: WorkPlace, task: Task, end: TaskEnd): Promise<{ rescue?: string }> {
  if (end.kind === 'closed' || end.kind === 'stopped') return {};
  const { start, takenAway } = stateOf(lane, task);
  if (!start || takenAway) return {};
  const reason = `task ${task.id} ${end.kind}`;
  const rescue = await lane.ports.repository.restoreStart(lane, { start }, reason);
  switch (end.kind) {
    case 'parked':
      lane.run.emit({ type: 'task-parked', task: task.id, question: end.reason, rescue });
      return { rescue };
    case 'skipped':
      lane.run.emit({ type: 'task-skipped', task: task.id, rescue });
      return { rescue };
    case 'replan':
    case 'dropped':
      lane.run.emit({ type: 'work-set-aside', task: task.id, rescue });
      return { rescue };
    case 'failed':
      return { rescue };
  }
}
