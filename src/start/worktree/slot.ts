// Where pawl's own worktrees are: numbered slots in the user's state folder, outside the repository, so that test runners
// and compilers do not find them. The slot's folder is the reservation; its number keeps ports apart.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { createFolder, makeFolder, removeEmptyFolder, removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import type { Holder } from '../../journal/holder.ts';
import { acquireLock, findHolder } from '../../journal/lock.ts';
import { realOf } from '../find-plan.ts';

/** One place for a working tree. */
export type Slot = Readonly<{
  number: number;
  folder: string;
  /** The working tree in it; absent if none was made or it is gone. */
  tree?: string;
  /** The live pawl that is just making it. */
  maker?: Holder;
}>;

/** The folder of all slots of a repository; its name is for people, the digest distinguishes repositories of one name. */
export function slotsFolder(state: string, commonDir: string): string {
  return folderFor(state, 'worktrees', commonDir);
}

/** The folder of the lanes of a repository's runs. */
export function lanesFolder(state: string, commonDir: string): string {
  return folderFor(state, 'lanes', commonDir);
}

function folderFor(state: string, kind: 'worktrees' | 'lanes', commonDir: string): string {
  const digest = createHash('sha256').update(commonDir).digest('hex').slice(0, 8);
  const top = path.basename(commonDir) === '.git' ? path.dirname(commonDir) : commonDir;
  const name = path.basename(top).replace(/\.git$/, '') || 'repository';
  const all = path.join(state, kind, `${name}-${digest}`);
  // git and places know only real paths.
  return realOf(all);
}

/** All slots of a repository, by number. */
export function listSlots(state: string, commonDir: string): readonly Slot[] {
  const all = slotsFolder(state, commonDir);
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .map((number) => readSlot(number, path.join(all, String(number))));
}

function readSlot(number: number, folder: string): Slot {
  const tree = readdirSync(folder).find((name) => name !== lockFolder);
  const maker = findHolder(folder);
  return {
    number,
    folder,
    ...defined({ tree: tree === undefined ? undefined : path.join(folder, tree), maker }),
  };
}

/** The folder that contains a slot's lock. */
const lockFolder = 'pawl';

/** A slot that is being filled; disposing it frees the lock, and the slot if nothing is in it. */
export type OwnSlot = Readonly<{ number: number; tree: string }> & Disposable;

/** Reserves the first free slot for a run of a plan. */
export function reserveSlot(
  wanted: string,
  { plan, name, now }: Readonly<{ plan: string; name: string; now: Date }>,
): OwnSlot {
  makeFolder(wanted, 0o700);
  const all = realpathSync(wanted);
  for (const slot of readdirSync(all)) freeDead(path.join(all, slot));
  for (let number = 1; number < 1_000; number += 1) {
    const folder = path.join(all, String(number));
    if (!createFolder(folder, 0o700)) continue;
    const tree = path.join(folder, name === lockFolder ? `${name}-run` : name);
    const lock = acquireLock(folder, `the start of ${plan}`, now, { plan, tree });
    const release = () => {
      lock[Symbol.dispose]();
      freeSlot(folder);
    };
    return { number, tree, [Symbol.dispose]: release };
  }
  throw new Failure('environment', `${all} contains too many working trees`, {
    hint: '`pawl clean` lists them and removes those that are no longer needed.',
  });
}

/** Frees a slot with no working tree left in it. */
export function freeSlot(folder: string): void {
  removeEmptyFolder(path.join(folder, lockFolder));
  removeEmptyFolder(folder);
}

/**
 * A start that was killed before it made a tree leaves its lock; a slot without one may be another's, reserved this very
 * moment.
 */
function freeDead(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const isDead = names.length === 1 && names[0] === lockFolder && !findHolder(folder);
  if (!isDead || !existsSync(path.join(folder, lockFolder, 'lock'))) return;
  removeFile(path.join(folder, lockFolder, 'lock'));
  freeSlot(folder);
}
