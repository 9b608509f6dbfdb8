// Brings a lane's commit onto the run's branch: first its objects, then the branch in one step, then the files of the run's
// own tree. After a kill, a file in the run's folder tells where to continue.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { moveBranch } from '../../git/lane/move-branch.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { keepTicks } from '../../plan/keep-ticks.ts';
import { tickIfThere } from '../../plan/tick.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { readText } from '../../work/plan/plan-snapshot.ts';
import { announceFollow, completeFollow } from '../ground/follow-tree.ts';
import type { Lanes } from './lanes.ts';

/** Lands a commit; false if the branch no longer points to the commit's parent. */
export async function landCommit(
  { trunk, found }: Lanes,
  lane: Place,
  { oid, parent, task }: Readonly<{ oid: string; parent: string; task: string }>,
): Promise<boolean> {
  refuseElsewhere(trunk);
  await lane.home?.keep();
  const isAnnounced = announceFollow(pendingFile(trunk), parent);
  const { branch } = trunk.run.state().started;
  if (!(await moveBranch(trunk.repo, { branch, from: parent, to: oid }))) {
    // Whoever moved the branch has updated the files too: nothing is left to follow.
    if (isAnnounced) removeFile(pendingFile(trunk));
    return false;
  }
  found.head = oid;
  await followNow(trunk);
  await trunk.home?.bring();
  if (!trunk.plan.tracked) tickInPlace(trunk, task);
  return true;
}

/**
 * The landing is valid even if something keeps the files from following, such as a person's git that has locked the index:
 * they follow with the next landing, or at the end.
 */
async function followNow(trunk: Place): Promise<void> {
  try {
    await finishFollow(trunk);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const text = `The files of ${trunk.repo.root} do not follow the branch yet: ${error.message}`;
    const { notices } = trunk.run.state();
    if (!notices.some((known) => known.text === text))
      trunk.run.emit({ type: 'noticed', code: 'not-followed', text });
  }
}

function pendingFile({ run }: Place): string {
  return path.join(run.folder, 'tree-follows');
}

/** Whether the run's own tree still has to follow the branch. */
export function isFollowPending(trunk: Place): boolean {
  return existsSync(pendingFile(trunk));
}

/** Updates the run's own tree to the branch, if a landing has announced it. */
export async function finishFollow(trunk: Place): Promise<void> {
  const { plan, repo, run } = trunk;
  await completeFollow({
    file: pendingFile(trunk),
    repo,
    branch: run.state().started.branch,
    stay: new Set(plan.tracked ? [plan.name] : []),
    // First, whatever keeps the index from following: the next task is chosen by these ticks.
    onBegin: async (from, to) => {
      if (plan.tracked) await followPlan(trunk, from, to);
    },
    onKept: (files) => run.emit({ type: 'trunk-kept', files: [...files] }),
  });
}

/** A person's edits to the plan stay, with the new ticks added. */
async function followPlan({ plan, repo }: Place, from: string, to: string): Promise<void> {
  const was = (await readBlobs(repo, from, [plan.name])).get(plan.name);
  const is = (await readBlobs(repo, to, [plan.name])).get(plan.name);
  if (is === undefined || was === is) return;
  const now = existsSync(plan.file) ? readText(plan.file) : undefined;
  if (now === is) return;
  writePlanFile(plan.file, now === undefined || now === was ? is : keepTicks(now, is, was));
}

export function tickInPlace({ plan }: Place, task: string): string {
  const text = readText(plan.file);
  const ticked = tickIfThere(text, task, plan.file);
  if (ticked !== text) writePlanFile(plan.file, ticked);
  return ticked;
}
