// Makes a lane, once: a ground beside the run's own, with `worktree.setup`.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { readRef } from '../../git/run/head.ts';
import { rawOf } from '../../git/run/names.ts';
import { pawlRef } from '../../git/run/refs.ts';
import { lookAtTree, newFiles } from '../../git/tree/look.ts';
import { tellGround } from '../../ground/in-ground.ts';
import { makeGround } from '../../ground/make.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { makeReady } from '../open/setup.ts';
import { givePlan } from './catch-up.ts';
import { hasLane, headOf, type Lanes, laneFolder } from './lanes.ts';
import { placeLane } from './place-lane.ts';

/** Undefined if this run can have none, or is stopped; remains are removed. */
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
    if (!lanes.trunk.run.signal.aborted && !lanes.stop.signal.aborted) {
      if (ready.delete(number)) removeOwnFolder(folder);
      throw error;
    }
  }
  if (ready.delete(number)) removeOwnFolder(folder);
  return undefined;
}

async function make(lanes: Lanes, number: number, wanted: string): Promise<boolean> {
  const { trunk } = lanes;
  const { run, repo } = trunk;
  const began = run.now().getTime();
  makeFolder(path.dirname(wanted), 0o700);
  const folder = path.join(realpathSync(path.dirname(wanted)), path.basename(wanted));
  removeOwnFolder(folder);
  removeOwnFolder(path.join(run.folder, 'lanes', String(number)));
  // An earlier lane's rescue points remain valid.
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
    signal: AbortSignal.any([run.signal, lanes.stop.signal]),
  });
  tellGround(trunk, ground, run.now().getTime() - began);
  const lane = placeLane(lanes, number);
  givePlan(trunk, lane);
  if (!(await makeReady(lane))) return false;
  const made = newFiles(await lookAtTree(lane.repo, lane.index));
  if (made.length > 0) lane.run.emit({ type: 'files-made', files: [...made], by: 'start' });
  run.emit({ type: 'lane', state: 'opened', lane: number, folder });
  return true;
}

/** Whether the error only prevents another lane. */
export function isLack(error: unknown): error is Failure {
  return error instanceof Failure && ['disk', 'git', 'environment'].includes(error.code);
}

export function formatLack({ message, hint }: Failure): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}
