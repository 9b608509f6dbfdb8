// Makes a lane ready for tasks, once: its checkout, `worktree.copy`, `worktree.clone`, `worktree.setup`, and in the first
// lane a trial of the plan's checks before their results are trusted.

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import type { FactOf } from '../../event.ts';
import { listBeside } from '../../git/place/untracked.ts';
import { readRef } from '../../git/run/head.ts';
import { rawOf } from '../../git/run/names.ts';
import { pawlRef } from '../../git/run/refs.ts';
import { lookAtTree, newFiles } from '../../git/tree/look.ts';
import { tellGround } from '../../ground/in-ground.ts';
import { makeGround } from '../../ground/make.ts';
import type { Task } from '../../plan/plan.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { runChecks } from '../../work/tree/run-checks.ts';
import { checksOf, nameCheck, ownChecksOf } from '../../work/work.ts';
import { makeReady } from '../open/setup.ts';
import { givePlan } from './catch-up.ts';
import { headOf } from './incoming.ts';
import { hasLane, type Lanes, laneFolder } from './lanes.ts';
import { placeLane } from './place-lane.ts';

/**
 * The place of a lane, made ready if it is not; undefined if this run can have none or is stopped. Remains of a lane that
 * cannot be made are removed.
 */
export async function openLane(lanes: Lanes, number: number): Promise<WorkPlace | undefined> {
  const { trunk, ready } = lanes;
  const folder = laneFolder(trunk, number);
  if (folder === undefined) return undefined;
  const isKnown = trunk.run.state().lanes.has(number) && hasLane(trunk, number);
  const made = ready.get(number) ?? (isKnown ? Promise.resolve(true) : make(lanes, number, folder));
  ready.set(number, made);
  try {
    if (await made) return placeLane(lanes, number);
  } catch (error) {
    if (ready.delete(number)) removeOwnFolder(folder);
    throw error;
  }
  if (ready.delete(number)) removeOwnFolder(folder);
  return undefined;
}

/** Returns false if it was interrupted. */
async function make(lanes: Lanes, number: number, wanted: string): Promise<boolean> {
  const { trunk } = lanes;
  const { run, repo } = trunk;
  const began = run.now().getTime();
  makeFolder(path.dirname(wanted), 0o700);
  const folder = path.join(realpathSync(path.dirname(wanted)), path.basename(wanted));
  removeOwnFolder(folder);
  removeOwnFolder(path.join(run.folder, 'lanes', String(number)));
  // It continues an earlier lane of this number, whose rescue points remain valid.
  const past = await readRef(repo, pawlRef(run.id, `lanes/${number}/rescue`));
  const refs = past === undefined ? {} : { [pawlRef(run.id, 'rescue')]: past };
  const { branch } = run.state().started;
  const files = findTrustFiles(repo.root).map((file) => rawOf(file.path));
  const { copy, clone } = run.config.worktree;
  const ground = await makeGround(repo, {
    folder,
    branch,
    commit: await headOf(trunk),
    refs,
    files,
    copy,
    clone,
  });
  tellGround(trunk, ground, run.now().getTime() - began);
  const lane = placeLane(lanes, number);
  givePlan(trunk, lane);
  if (!(await makeReady(lane, `-${number}`))) return false;
  const made = newFiles(await lookAtTree(lane.repo, lane.index));
  if (made.length > 0) lane.run.emit({ type: 'files-made', files: [...made], by: 'start' });
  run.emit({ type: 'lane-opened', lane: number, folder, ms: run.now().getTime() - began });
  return true;
}

/**
 * Whether the plan's checks have the same results in a lane as in the run's own tree, and how the own checks of the `first`
 * tasks do there before any work. Reported, and done once per run.
 */
export async function tryLane({ trunk }: Lanes, lane: WorkPlace, first: readonly Task[]): Promise<boolean> {
  const { baseline, lanesTried } = trunk.run.state();
  if (lanesTried) return lanesTried.differs.length === 0;
  const planSnapshot = readPlanSnapshot(lane);
  const shared = checksOf(lane, planSnapshot).filter(({ id }) => baseline.some(({ check }) => check === id));
  const known = new Set(shared.map(nameCheck));
  const all = first.flatMap((task) => ownChecksOf(planSnapshot, task));
  const own = all.filter((check) => !known.has(nameCheck(check)) && known.add(nameCheck(check)));
  const here = await runChecks(trunk, own, { when: 'lane' });
  const past = [...baseline, ...here.runs.map((run) => ({ ...run, check: run.check.id }))];
  const { runs } = await runChecks(lane, [...shared, ...own], { when: 'lane' });
  const differs = runs.flatMap(({ check, result: is, exitCode }): FactOf<'lane-tried'>['differs'] => {
    const was = past.find((one) => one.check === check.id);
    const isSame = was?.result === is && was.exitCode === exitCode;
    return !was || isSame ? [] : [{ command: check.command, was: was.result, is }];
  });
  if (lane.run.signal.aborted) return false;
  const beside = differs.length === 0 ? [] : await listBeside(trunk.repo, lane.repo.root);
  trunk.run.emit({ type: 'lane-tried', lane: lane.lane?.number ?? 0, differs, beside: [...beside] });
  return differs.length === 0;
}
