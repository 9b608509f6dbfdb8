// Which of pawl's worktrees can be removed, and their removal. A tree stays, with a reason, while it is in use, can be
// resumed, or holds anything that is stored nowhere else.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configSchema } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { removeOwnFolder } from '../../disk.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { asFailure, Failure } from '../../failure.ts';
import { findIgnoredWork, type IgnoredWork } from '../../git/place/ignored-work.ts';
import { forgetWorktree, judgeWorktree, readWorktree, removeWorktree } from '../../git/place/worktree.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listRuns } from '../../journal/folder.ts';
import { findHolder } from '../../journal/lock.ts';
import { readIfSound } from '../../journal/read-journal.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { orElse } from '../../or-else.ts';
import { formatBytes } from '../../report/text/figure.ts';
import { wasTrusted } from '../consent.ts';
import type { CliContext } from '../context.ts';
import { findPlaceAt } from '../locate.ts';
import { openPlainRepo, rescueOptionsOf } from '../open-place.ts';
import { readNames } from '../size.ts';
import { freeSlot, type Slot } from './slot.ts';

/** A run that works, or worked, in a worktree of its own. */
export type TreeRun = Readonly<{
  run: string;
  folder: string;
  plan: string;
  worktree: OwnWorktree;
  state: RunState | undefined;
}>;

/** The runs with worktrees of their own, newest first; one whose journal cannot be read has no state. */
export function listTreeRuns(commonDir: string): readonly TreeRun[] {
  return listRuns(commonDir).flatMap((run) => {
    const { worktree, plan } = run.started;
    if (!worktree) return [];
    const state = readIfSound(run.folder);
    return [{ run: run.run, folder: run.folder, plan, worktree: state?.worktree ?? worktree, state }];
  });
}

/** Why a slot must stay, judging by its runs and who is at work; undefined if its tree may be examined. */
export function judgeSlot(slot: Slot, runs: readonly TreeRun[]): string | undefined {
  if (slot.maker) return `pawl (process ${slot.maker.pid}) is making it`;
  const gitDir = slot.tree === undefined ? undefined : findPlaceAt(slot.tree)?.gitDir;
  const holder = gitDir === undefined ? undefined : findHolder(gitDir);
  if (holder) return `pawl (process ${holder.pid}) works in it`;
  const own = runs.filter(({ worktree }) => worktree.path === slot.tree);
  const open = own.find(({ state }) => !state || !isFinished(state));
  return open && `run ${open.run} is not finished`;
}

/** What became of a tree. `why`: it stays, and why. `saved`: the command that restores the ignored files from it. */
export type Reclaimed = Readonly<{ why?: string; saved?: string }>;

/** Tells a person about them. */
export function formatSaved(command: string): string {
  return `The files that git ignored there are saved: ${command}`;
}

/**
 * A tree that may be removed if everything in it exists elsewhere. `from`: root of the tree that it was made from; `own`:
 * its newest run.
 */
type Left = Readonly<{ slot: Slot; from: string; own: TreeRun | undefined }>;

/** Removes the tree of a slot that may go, and frees the slot; otherwise returns why it stays. */
export async function reclaim(context: CliContext, repo: Repo, left: Left): Promise<Reclaimed> {
  const { slot } = left;
  const end = slot.tree === undefined ? {} : await removeTree(context, repo, { ...left, tree: slot.tree });
  if (end.why === undefined) freeSlot(slot.folder);
  return end;
}

/** If ignored files are larger than this in total, they are not copied: the tree stays. */
const mostIgnored = 100 * 1024 * 1024;

type Tree = Readonly<{ tree: string; from: string }>;

/** Why a tree has to stay because of its content, and what in it is a copy or must be saved first. */
async function look(context: CliContext, repo: Repo, { tree, from }: Tree) {
  if (findPlaceAt(tree)?.commonDir !== repo.commonDir)
    throw new Failure('git', 'it is not a working tree of this repository');
  const opened = await openPlainRepo(context, { root: tree }, { trusted: wasTrusted(context, from) });
  const [facts, ignored] = await Promise.all([readWorktree(opened, from), findIgnoredWork(opened, from)]);
  return { opened, copies: facts.copies, ignored, why: judgeWorktree(facts) ?? judgeIgnored(ignored) };
}

/** Why a tree cannot be removed because of what git ignores in it. */
export function judgeIgnored({ repositories, bytes, tops }: IgnoredWork): string | undefined {
  if (repositories.length > 0) return `it contains a nested repository: ${fewOf(repositories)}`;
  if (bytes <= mostIgnored) return undefined;
  return `${formatBytes(bytes)} of ignored files is too much to save: ${fewOf(tops)}`;
}

/** Why a tree has to stay because of its content. */
export async function whyStays(context: CliContext, repo: Repo, tree: Tree): Promise<string | undefined> {
  return isUnmade(repo, tree.tree) ? undefined : (await look(context, repo, tree)).why;
}

async function removeTree(
  context: CliContext,
  repo: Repo,
  { tree, from, slot, own }: Left & Tree,
): Promise<Reclaimed> {
  if (isUnmade(repo, tree)) return endUnmade(repo, tree);
  try {
    const { opened, why, copies, ignored } = await look(context, repo, { tree, from });
    if (why !== undefined) return { why };
    const run = own?.run ?? `tree-${path.basename(tree)}-${slot.number}`;
    const saved = await saveIgnored(opened, { run, folder: own?.folder ?? opened.gitDir, ignored });
    await removeWorktree(repo, { folder: tree, copies });
    return defined({ saved });
  } catch (error) {
    const failure = asFailure(error);
    if (failure) return { why: failure.message };
    throw error;
  }
}

/** Saves them as a rescue of the run; returns the command that restores them. */
async function saveIgnored(
  tree: Repo,
  { run, folder, ignored }: Readonly<{ run: string; folder: string; ignored: IgnoredWork }>,
): Promise<string | undefined> {
  const { files, tops } = ignored;
  if (files.length === 0) return undefined;
  const reason = 'files that git ignored in the working tree, which was removed';
  const options = { ...rescueOptionsOf(configSchema.parse({}), { run, folder }), reason, ignored: files };
  const { oid } = await saveRescue(tree, options);
  const isPlain = tops.length <= 5 && tops.every((name) => /^[\w./@+-]+$/.test(name));
  return isPlain
    ? `pawl rescue restore ${oid.slice(0, 10)} --run ${run} ${tops.join(' ')}`
    : `pawl rescue show ${oid.slice(0, 10)} --run ${run}`;
}

/**
 * True for a tree that a killed git was still creating: git marks it with a lock of its own, and nobody ever worked in it.
 */
function isUnmade({ commonDir }: Repo, tree: string): boolean {
  const all = path.join(commonDir, 'worktrees');
  const entry = readNames(all).find(
    (name) => readLine(path.join(all, name, 'gitdir')) === path.join(tree, '.git'),
  );
  return entry !== undefined && readLine(path.join(all, entry, 'locked')) === 'initializing';
}

async function endUnmade(repo: Repo, tree: string): Promise<Reclaimed> {
  removeOwnFolder(tree);
  await repo.write('unlock worktree', ['worktree', 'unlock', tree]);
  await forgetWorktree(repo, tree);
  return {};
}

function readLine(file: string): string | undefined {
  return orElse(() => readFileSync(file, 'utf8').trim(), undefined);
}
