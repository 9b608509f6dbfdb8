// Lanes that a kill cut off: a landing is completed, a lane that is gone is given up, other work is judged as left.
import path from 'node:path';
import { findClose } from '../../git/commit/history.ts';
import { removeLocks } from '../../git/run/lock-files.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { SessionState } from '../../journal/state.ts';
import type { TaskState } from '../../journal/task-state.ts';
import { isSameTask } from '../../work/begin.ts';
import { confirmClose } from '../../work/close/confirm-close.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { removeDrafts } from '../../write-file.ts';
import { completeLanding } from '../lanes/branch.ts';
import { completeCatchUp } from '../lanes/catch-up.ts';
import { createLanes, listBegun } from '../lanes/lanes.ts';
import { giveUpLane, isUsable } from '../lanes/leave-lane.ts';
import { placeLane } from '../lanes/place-lane.ts';
import { findUnjudged, restoreCutOff } from './cut-off.ts';
import { endUnjudged, judgeLeft, settleClosing } from './reconcile-task.ts';

/** The branch has moved already. */
export async function finishLanding(trunk: WorkPlace): Promise<void> {
  const { closing, started } = trunk.run.state();
  if (closing?.lane === undefined) return;
  const commit = await findClose(trunk.repo, closing.key, started.base);
  if (!commit) return;
  const { oid } = commit;
  const { parent } = closing;
  await completeLanding(trunk, { oid, parent });
  const files = await changedFiles(trunk.repo, parent, oid);
  const { name } = trunk.plan;
  // One that is in no commit is read anew.
  const ticked = (await readBlobs(trunk.repo, oid, [name])).get(name) ?? '';
  confirmClose(trunk, closing, { oid, files, ticked });
}

/** After `finishLanding`. `crashed`: cut off by a kill. */
export async function settleLanes(trunk: WorkPlace, crashed: readonly SessionState[]): Promise<void> {
  const lanes = createLanes(trunk);
  for (const number of trunk.run.state().lanes.keys()) {
    const { file } = placeLane(lanes, number).plan;
    removeDrafts(path.dirname(file), path.basename(file));
  }
  for (const [number, task] of [...listBegun(trunk)].sort(([a], [b]) => a - b)) {
    if (trunk.run.signal.aborted) return;
    const lane = placeLane(lanes, number);
    const cut = crashed.findLast(({ started }) => started.task === task.id && started.lane === number);
    if (await isUsable(lane)) await settle(trunk, lane, { task, cut });
    else {
      if (trunk.run.state().closing?.task === task.id) endUnjudged(trunk, task, 'its lane is gone');
      giveUpLane(trunk, number, task);
    }
  }
}

async function settle(
  trunk: WorkPlace,
  lane: WorkPlace,
  { task, cut }: Readonly<{ task: TaskState; cut: SessionState | undefined }>,
): Promise<void> {
  const { started, closing } = trunk.run.state();
  await removeLocks(lane.repo, { branch: started.branch, since: new Date(started.at) });
  if (task.lane?.catchingUp) await completeCatchUp({ trunk, lane }, task.lane.catchingUp);
  const began = cut ?? findUnjudged(lane);
  // A task that the plan no longer has cannot land.
  const isSame = isSameTask(readPlanAt(trunk), task);
  if (closing?.task === task.id) {
    if (isSame) return settleClosing(lane, closing);
    endUnjudged(lane, task, 'the plan has another task by its number');
  }
  if (!began) return;
  await restoreCutOff(lane, began);
  if (isSame) await judgeLeft(lane, task.id);
}
