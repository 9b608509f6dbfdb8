// Which working trees of pawl's are done with, and their removal. What is at work, can still go on, or holds anything that
// is nowhere else stays, with the reason.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { removeOwnFolder } from '../../disk.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { asFailure } from '../../failure.ts';
import { judgeWorktree, readWorktree, removeWorktree } from '../../git/place/worktree.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listRuns, type RunFolder } from '../../journal/folder.ts';
import { findHolder } from '../../journal/lock.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { wasTrusted } from '../consent.ts';
import type { CliContext } from '../context.ts';
import { readRun } from '../find-run.ts';
import { findPlaceAt } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';
import { readNames } from '../size.ts';
import { freeSlot, type Slot } from './slot.ts';

/** A run that works, or worked, in a tree of its own. */
export type TreeRun = Readonly<{
  run: string;
  plan: string;
  worktree: OwnWorktree;
  state: RunState | undefined;
}>;

/** The runs with trees of their own, newest first; one whose journal cannot be read has no state. */
export function listTreeRuns(commonDir: string): readonly TreeRun[] {
  return listRuns(commonDir).flatMap((run) => {
    const { worktree, plan } = run.started;
    if (!worktree) return [];
    const state = readIfSound(run);
    return [{ run: run.run, plan, worktree: state?.worktree ?? worktree, state }];
  });
}

function readIfSound(run: RunFolder): RunState | undefined {
  try {
    return readRun(run);
  } catch (error) {
    if (asFailure(error)) return undefined;
    throw error;
  }
}

/** Why a slot must stay, by its runs and who is at work; undefined: its tree may be looked at. */
export function judgeSlot(slot: Slot, runs: readonly TreeRun[]): string | undefined {
  if (slot.maker) return `pawl (process ${slot.maker.pid}) is making it`;
  const gitDir = slot.tree === undefined ? undefined : findPlaceAt(slot.tree)?.gitDir;
  const holder = gitDir === undefined ? undefined : findHolder(gitDir);
  if (holder) return `pawl (process ${holder.pid}) works in it`;
  const own = runs.filter(({ worktree }) => worktree.path === slot.tree);
  const open = own.find(({ state }) => !state || !isFinished(state));
  return open && `run ${open.run} is not finished`;
}

/** Removes the tree of a slot that may go, and frees the slot; otherwise says why it stays. */
export async function reclaim(
  context: CliContext,
  repo: Repo,
  { slot, from }: Readonly<{ slot: Slot; from: string }>,
): Promise<string | undefined> {
  const why =
    slot.tree === undefined ? undefined : await removeTree(context, repo, { tree: slot.tree, from });
  if (why === undefined) freeSlot(slot.folder);
  return why;
}

/** Why a tree has to stay by what is in it, and what in it is a copy. */
async function look(context: CliContext, repo: Repo, { tree, from }: Tree) {
  if (findPlaceAt(tree)?.commonDir !== repo.commonDir)
    return { why: 'it is no working tree of this repository', copies: [] };
  const facts = await readWorktree(
    await openPlainRepo(context, { root: tree }, { trusted: wasTrusted(context, from) }),
    from,
  );
  return { why: judgeWorktree(facts), copies: facts.copies };
}

/** Why a tree has to stay by what is in it. */
export async function whyStays(context: CliContext, repo: Repo, tree: Tree): Promise<string | undefined> {
  return isUnmade(repo, tree.tree) ? undefined : (await look(context, repo, tree)).why;
}

type Tree = Readonly<{ tree: string; from: string }>;

async function removeTree(
  context: CliContext,
  repo: Repo,
  { tree, from }: Tree,
): Promise<string | undefined> {
  if (isUnmade(repo, tree)) return endUnmade(repo, tree);
  const { why, copies } = await look(context, repo, { tree, from });
  if (why !== undefined) return why;
  try {
    await removeWorktree(repo, { folder: tree, copies });
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    if (failure) return failure.message;
    throw error;
  }
}

/** True of a tree that a killed git was still filling: git says so by a lock of its own, and nobody ever worked in it. */
function isUnmade({ commonDir }: Repo, tree: string): boolean {
  const all = path.join(commonDir, 'worktrees');
  const entry = readNames(all).find(
    (name) => readLine(path.join(all, name, 'gitdir')) === path.join(tree, '.git'),
  );
  return entry !== undefined && readLine(path.join(all, entry, 'locked')) === 'initializing';
}

async function endUnmade(repo: Repo, tree: string): Promise<undefined> {
  removeOwnFolder(tree);
  await repo.write('unlock worktree', ['worktree', 'unlock', tree]);
  await repo.write('prune worktrees', ['worktree', 'prune']);
}

function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
