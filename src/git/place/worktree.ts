// Creates, inspects and removes a second working tree. Nothing is forced: what git refuses to remove stays, as does what is
// on no branch.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { findOperation, type Operation, readHead } from '../protect/snapshot.ts';
import { readRef } from '../run/head.ts';
import { fewOf, pathOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { isSameEntry, readEntry } from '../tree/entry.ts';
import { readStatus } from '../tree/status.ts';
import type { BranchChoice } from './choose-branch.ts';

type NewTree = BranchChoice & Readonly<{ folder: string; base: string }>;

/** Creates a working tree in a folder that does not exist yet, on a new branch from `base` or on an existing one. */
export async function addWorktree(repo: Repo, tree: NewTree): Promise<void> {
  const turn = adding.then(() => add(repo, tree));
  adding = turn.catch(() => {});
  return turn;
}

/** One at a time: git fails if it finds a tree that another git is just creating. */
let adding: Promise<void> = Promise.resolve();

async function add(repo: Repo, { folder, branch, create, base }: NewTree): Promise<void> {
  makeFolder(path.dirname(folder), 0o700);
  // A tree that was removed by hand still counts as checked out; but a person's tree may be on a disk that is not mounted
  // now.
  const slots = `${path.dirname(path.dirname(folder))}${path.sep}`;
  for (const tree of await listWorktrees(repo))
    if (tree.path.startsWith(slots) && !existsSync(tree.path)) await forgetWorktree(repo, tree.path);
  const what = create ? ['--no-track', '-b', branch, folder, base] : [folder, branch];
  try {
    await repo.write(`worktree ${branch}`, ['worktree', 'add', '--quiet', ...what]);
  } catch (error) {
    if (!create || existsSync(folder) || (await readRef(repo, `refs/heads/${branch}`)) === undefined)
      throw error;
    throw new Failure(
      'preflight',
      `the branch ${branch} was made a moment ago, perhaps by another start of pawl`,
      { hint: 'See `pawl status`; if nothing is working on this plan, the same command continues.' },
    );
  }
}

/** The working trees that git knows, the main one first, and the branch checked out in each. */
export async function listWorktrees(
  repo: Repo,
): Promise<readonly Readonly<{ path: string; branch: string | undefined }>[]> {
  const blocks = (await repo.git(['worktree', 'list', '--porcelain'])).split('\n\n');
  return blocks.flatMap((block) => {
    const [, path] = /^worktree (.+)$/m.exec(block) ?? [];
    const [, branch] = /^branch refs\/heads\/(.+)$/m.exec(block) ?? [];
    return path === undefined ? [] : [{ path, branch }];
  });
}

/** Makes git forget a working tree whose folder is gone, and no other. */
export async function forgetWorktree(repo: Repo, folder: string): Promise<void> {
  const known = await listWorktrees(repo);
  if (existsSync(folder) || !known.some((tree) => tree.path === folder)) return;
  await repo.write(`forget worktree ${path.basename(folder)}`, ['worktree', 'remove', '--force', folder]);
}

/** What a working tree holds besides its commits. */
export type WorktreeFacts = Readonly<{
  operation: Operation | undefined;
  /** Changed tracked files, staged or not. */
  changed: readonly string[];
  /** Untracked files that are neither ignored nor copies. */
  untracked: readonly string[];
  /** Raw names of untracked files that are identical in the tree they were copied from. */
  copies: readonly string[];
  /** Its commits are on a branch. */
  onBranch: boolean;
  /** Repositories of submodules, which are in its git folder and would go with it. */
  submodules: readonly string[];
}>;

/** Reads a working tree. `from`: root of the tree whose untracked files were copied. */
export async function readWorktree(tree: Repo, from: string): Promise<WorktreeFacts> {
  const { entries } = await readStatus(tree);
  const untracked = entries.filter(({ kind }) => kind === 'untracked');
  const isCopy = (raw: string): boolean => {
    const here = readEntry(pathOf(tree.root, raw));
    return (here.kind === 'file' || here.kind === 'link') && isSameEntry(here, readEntry(pathOf(from, raw)));
  };
  const modules = path.join(tree.gitDir, 'modules');
  return {
    operation: findOperation(tree),
    changed: entries.filter(({ kind }) => kind === 'tracked' || kind === 'unmerged').map(({ file }) => file),
    untracked: untracked.filter(({ raw }) => !isCopy(raw)).map(({ file }) => file),
    copies: untracked.filter(({ raw }) => isCopy(raw)).map(({ raw }) => raw),
    onBranch: await isOnBranch(tree),
    submodules: existsSync(modules) ? readdirSync(modules) : [],
  };
}

async function isOnBranch(tree: Repo): Promise<boolean> {
  if (readHead(tree).branch !== undefined) return true;
  const holding = await tree.git(['for-each-ref', '--count=1', '--contains=HEAD', 'refs/heads']);
  return holding !== '';
}

/** Why a working tree has to stay, as the end of a sentence; undefined if everything in it exists elsewhere too. */
export function judgeWorktree(facts: WorktreeFacts): string | undefined {
  const why = judgeHistory(facts);
  if (why !== undefined) return why;
  if (facts.changed.length > 0) return `it has changes that are not committed: ${fewOf(facts.changed)}`;
  if (facts.untracked.length > 0) return `it has files that git does not know: ${fewOf(facts.untracked)}`;
  return undefined;
}

/** Why it has to stay although its files are saved; undefined if only files would be lost with it. */
export function judgeHistory({ operation, onBranch, submodules }: WorktreeFacts): string | undefined {
  if (operation !== undefined) return `a ${operation} is in progress in it`;
  if (!onBranch) return 'its commits are on no branch';
  if (submodules.length > 0) return `it holds repositories of submodules: ${fewOf(submodules)}`;
  return undefined;
}

/** Removes a working tree that `judgeWorktree` allows to be removed: its copies, then the tree with its ignored files. */
export async function removeWorktree(
  repo: Repo,
  { folder, copies }: Readonly<{ folder: string; copies: readonly string[] }>,
): Promise<void> {
  for (const raw of copies) removeFile(pathOf(folder, raw));
  await repo.write(`remove worktree ${path.basename(folder)}`, ['worktree', 'remove', folder]);
}

/** Removes a branch that was created for a tree and never used; if it has moved, throws Failure('git'). */
export async function dropNewBranch(
  repo: Repo,
  { branch, base }: Readonly<{ branch: string; base: string }>,
): Promise<void> {
  await repo.write(`drop branch ${branch}`, ['update-ref', '-d', `refs/heads/${branch}`, base]);
}
