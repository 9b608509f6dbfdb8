// Putting an index of pawl's own in the place of the repository's, under git's own lock. A kill between taking the lock and
// giving it up leaves it behind: a second name of the file tells it from another git's, for whoever comes first.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copyFile, moveFile, removeTwin } from '../disk.ts';
import { knownTree } from './index-file.ts';
import { parseIndexFlags } from './index-flags.ts';
import type { Repo } from './repo.ts';

/** Makes the repository's index a copy of one of pawl's own that is known to be a tree, as git replaces it. False, with nothing done: `setIndex` has to, which waits for another git, keeps flags, and understands every index. */
export function giveIndex(repo: Repo, index: string, tree: string): boolean {
  const theirs = path.join(repo.gitDir, 'index');
  const isPlain = (file: string): boolean => isWithoutFlags(file, tree.length / 2);
  if (knownTree(repo, index) !== tree || !isPlain(theirs) || !isPlain(index)) return false;
  const { file: lock, twin } = ownLock(repo);
  freeIndex(repo);
  try {
    copyFile(index, twin, { name: lock });
    // As git: what is lost of an index is made anew.
    moveFile(lock, theirs, { isSynced: false });
    return true;
  } catch (error) {
    if (isNoLink(error)) return false;
    throw error;
  } finally {
    freeIndex(repo);
  }
}

/** The lock that is held from one system call to the next, and the other name of the same file. */
export function ownLock({ gitDir }: Pick<Repo, 'gitDir'>): Readonly<{ file: string; twin: string }> {
  return { file: path.join(gitDir, 'index.lock'), twin: path.join(gitDir, 'index.pawl') };
}

/** Takes away what a kill in the middle of `giveIndex` left. No other pawl may work in the tree. */
export function freeIndex(repo: Pick<Repo, 'gitDir'>): void {
  const { file, twin } = ownLock(repo);
  removeTwin(twin, file);
}

/** Another git has the lock, or the file system knows no second names. */
function isNoLink(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall === 'link';
}

/** A regular file that no entry's flag stands in, nor anything that a plain copy would lose. */
function isWithoutFlags(file: string, oidBytes: number): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  return parseIndexFlags(readFileSync(file), oidBytes)?.size === 0;
}
