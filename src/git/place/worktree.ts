// Creates, inspects and removes a second working tree. It forces nothing: what git refuses to remove stays, as does what is on
// no branch.
import path from 'node:path';
import { makeFolder, removeFile } from '../../disk.ts';
import { findOperation, type Operation, readHead } from '../protect/snapshot.ts';
import { fewOf, pathOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { isSameEntry, readEntry } from '../tree/entry.ts';
import { readStatus } from '../tree/status.ts';
import type { BranchChoice } from './choose-branch.ts';

/** Makes a working tree at a folder that is not there yet, on a new branch from `base` or on an existing one. */
export async function addWorktree(
  repo: Repo,
  { folder, branch, create, base }: BranchChoice & Readonly<{ folder: string; base: string }>,
): Promise<void> {
  makeFolder(path.dirname(folder), 0o700);
  // What was removed by hand still counts as checked out.
  await repo.write('prune worktrees', ['worktree', 'prune']);
  const what = create ? ['--no-track', '-b', branch, folder, base] : [folder, branch];
  await repo.write(`worktree ${branch}`, ['worktree', 'add', '--quiet', ...what]);
}

/** What a working tree holds beside its commits. */
export type WorktreeFacts = Readonly<{
  operation: Operation | undefined;
  /** Tracked files that are changed, staged or not. */
  changed: readonly string[];
  /** Untracked, not ignored files that are no copies. */
  untracked: readonly string[];
  /** Raw names of untracked files that are the same in the tree they were copied from. */
  copies: readonly string[];
  /** Its commits are on a branch. */
  onBranch: boolean;
}>;

/** Looks at a working tree. `from`: root of the tree whose untracked files were copied. */
export async function readWorktree(tree: Repo, from: string): Promise<WorktreeFacts> {
  const { entries } = await readStatus(tree);
  const untracked = entries.filter(({ kind }) => kind === 'untracked');
  const isCopy = (raw: string): boolean => {
    const here = readEntry(pathOf(tree.root, raw));
    return (here.kind === 'file' || here.kind === 'link') && isSameEntry(here, readEntry(pathOf(from, raw)));
  };
  return {
    operation: findOperation(tree),
    changed: entries.filter(({ kind }) => kind === 'tracked' || kind === 'unmerged').map(({ file }) => file),
    untracked: untracked.filter(({ raw }) => !isCopy(raw)).map(({ file }) => file),
    copies: untracked.filter(({ raw }) => isCopy(raw)).map(({ raw }) => raw),
    onBranch: await isOnBranch(tree),
  };
}

async function isOnBranch(tree: Repo): Promise<boolean> {
  if (readHead(tree).branch !== undefined) return true;
  const holding = await tree.git(['for-each-ref', '--count=1', '--contains=HEAD', 'refs/heads']);
  return holding !== '';
}

/** Why a working tree has to stay, as the end of a sentence; undefined when all it holds is elsewhere too. */
export function judgeWorktree(facts: WorktreeFacts): string | undefined {
  if (facts.operation !== undefined) return `a ${facts.operation} is in progress in it`;
  if (!facts.onBranch) return 'its commits are on no branch';
  if (facts.changed.length > 0) return `it has changes that are not committed: ${fewOf(facts.changed)}`;
  if (facts.untracked.length > 0) return `it has files that git does not know: ${fewOf(facts.untracked)}`;
  return undefined;
}

/** Removes a working tree that `judgeWorktree` lets go: its copies, then the tree with what git ignores in it. */
export async function removeWorktree(
  repo: Repo,
  { folder, copies }: Readonly<{ folder: string; copies: readonly string[] }>,
): Promise<void> {
  for (const raw of copies) removeFile(pathOf(folder, raw));
  await repo.write(`remove worktree ${path.basename(folder)}`, ['worktree', 'remove', folder]);
}

/** Removes a branch that was made for a tree and on which nothing was done; one that has moved is Failure('git'). */
export async function dropNewBranch(
  repo: Repo,
  { branch, base }: Readonly<{ branch: string; base: string }>,
): Promise<void> {
  await repo.write(`drop branch ${branch}`, ['update-ref', '-d', `refs/heads/${branch}`, base]);
}
