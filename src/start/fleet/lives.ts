// The clones of a job on this machine, one for each start except where its run continues.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { removeInPieces } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import { listRuns } from '../../journal/folder.ts';
import type { RunState } from '../../journal/state.ts';
import { judgeTake } from '../../phase/carry/judge-carry.ts';
import { readStanding } from '../../phase/carry/owner.ts';
import type { Carried } from '../carry/find-carried.ts';
import { findLocal } from '../carry/take.ts';
import { type CliContext, printNote } from '../context.ts';
import { findLiveRuns, readRun } from '../find-run.ts';
import { openPlainRepo } from '../open-place.ts';
import type { Life } from './judge-life.ts';

/** The clones that earlier starts of a job left in its folder; `checkout`: that of this start. */
export function readLives({ own, checkout }: Readonly<{ own: string; checkout: string }>): readonly string[] {
  if (!existsSync(own)) return [];
  const folders = readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => path.join(own, name, path.basename(checkout)))
    .filter((root) => existsSync(path.join(root, '.git')));
}

/** The state of the run in the clone of an earlier life. */
export async function lookAt(
  context: CliContext,
  root: string,
  found: Carried | undefined,
): Promise<Life['standing']> {
  const gitDir = path.join(root, '.git');
  const place = { root, gitDir, commonDir: gitDir };
  try {
    if (findLiveRuns(place).length > 0) return 'live';
    if (!found) return undefined;
    const repo = await openPlainRepo(context, place, { trusted: false });
    const local = await findLocal(repo, place, found);
    return local && judgeTake(found, local).kind;
  } catch (error) {
    // Half made, or half removed.
    if (asFailure(error)) return undefined;
    throw error;
  }
}

/** Removes clones; if one cannot be removed, the job has not failed. */
export async function remove(context: CliContext, folder: string): Promise<void> {
  try {
    await removeInPieces(folder);
  } catch (error) {
    printNote(context, `not all of ${folder} could be removed: ${(error as Error).message}`);
  }
}

/** The run in a clone; a journal that cannot be read now is read later. */
export function readRunIn(root: string): RunState | undefined {
  try {
    const [run] = listRuns(path.join(root, '.git'));
    return run && readRun(run);
  } catch (error) {
    if (asFailure(error)) return undefined;
    throw error;
  }
}

/** Whether the remote knows that the run is finished: then it is only the branch that it did not accept. */
export async function isEndThere(context: CliContext, root: string, clockMs: number): Promise<boolean> {
  try {
    const carry = readRunIn(root)?.carry;
    if (!carry) return false;
    const repo = await openPlainRepo(context, { root }, { trusted: false });
    const there = await readStanding(repo, { name: carry.remote, clockMs }, carry.ref);
    return there?.ended === true && there.owner === carry.owner;
  } catch (error) {
    if (asFailure(error)) return false;
    throw error;
  }
}
