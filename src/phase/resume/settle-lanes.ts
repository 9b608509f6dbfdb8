// Resumes a run with work in lanes: completes a landing, and judges each lane's work as left.
import path from 'node:path';
import { findClose } from '../../git/commit/history.ts';
import { removeLocks } from '../../git/run/lock-files.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { SessionState, TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { confirmClose } from '../../work/close/confirm-close.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { removeDrafts } from '../../write-file.ts';
import { completeCatchUp } from '../lanes/catch-up.ts';
import { isSameTask } from '../lanes/free-lane.ts';
import { completeLanding, tickInPlace } from '../lanes/land.ts';
import { createLanes, listBegun } from '../lanes/lanes.ts';
import { placeLane } from '../lanes/place-lane.ts';
import { giveUpLane, isUsable } from '../lanes/usable.ts';
import { judgeLeft, settleClosing } from './reconcile-task.ts';
import { findUnjudged, restoreCutOff } from './restore-cut-off.ts';

export async function finishLanding(trunk: WorkPlace): Promise<void> {
  const { closing, started } = trunk.run.state();
  if (closing?.lane === undefined) return;
  const commit = await findClose(trunk.repo, closing.key, started.base);
  if (!commit) return;
  await completeLanding(trunk, { oid: commit.oid, parent: closing.parent });
  const files = await changedFiles(trunk.repo, closing.parent, commit.oid);
  const { name, tracked } = trunk.plan;
  const ticked = tracked
    ? ((await readBlobs(trunk.repo, commit.oid, [name])).get(name) ?? '')
    : tickInPlace(trunk, closing.task);
  confirmClose(trunk, closing, { oid: commit.oid, files, ticked });
}

/** After `finishLanding`. `crashed`: cut off by a kill. */
export async function settleLanes(trunk: WorkPlace, crashed: readonly SessionState[]): Promise<void> {
  const lanes = createLanes(trunk);
  for (const number of trunk.run.state().lanes.keys()) {
    const { file } = placeLane(lanes, number).plan;
    removeDrafts(path.dirname(file), path.basename(file));
  }
  const begun = [...listBegun(trunk)].sort(([a], [b]) => a - b);
  for (const [number, task] of begun) {
    if (trunk.run.signal.aborted) return;
    const lane = placeLane(lanes, number);
    if (await isUsable(trunk, lane, number)) await settle(trunk, lane, { number, task, crashed });
    else {
      if (trunk.run.state().closing?.task === task.id) endClosing(trunk, task, 'its lane is gone');
      giveUpLane(trunk, number, task);
    }
  }
}

function endClosing({ run }: Place, { id, lastRound }: TaskState, reason: string): void {
  const attempt = lastRound?.attempt ?? 1;
  run.emit({ type: 'round-ended', task: id, attempt, verdict: 'again', reason, counts: false });
}

type LaneFinding = Readonly<{
  number: number;
  task: TaskState;
  crashed: readonly SessionState[];
}>;

async function settle(
  trunk: WorkPlace,
  lane: WorkPlace,
  { number, task, crashed }: LaneFinding,
): Promise<void> {
  const { id } = task;
  const { started } = trunk.run.state();
  await removeLocks(lane.repo, { branch: started.branch, since: new Date(started.at) });
  const { catchingUp } = trunk.run.state().tasks.get(id) ?? {};
  if (catchingUp) await completeCatchUp({ trunk, lane }, catchingUp);
  const cut = crashed.findLast(({ started: { task, lane: where } }) => task === id && where === number);
  const began = cut ?? findUnjudged(lane);
  const closing = trunk.run.state().closing?.task === id ? trunk.run.state().closing : undefined;
  // A task that the plan no longer has cannot land.
  const isSame = isSameTask(readPlanSnapshot(trunk).plan, task);
  if (closing) {
    if (isSame) return settleClosing(lane, closing);
    endClosing(lane, task, 'the plan has another task by its number');
  }
  if (began) await restoreCutOff(lane, began);
  if (!began || !isSame) return;
  await judgeLeft(lane, id);
}
