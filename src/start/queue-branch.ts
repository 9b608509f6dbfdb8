// The branch on which a queue of plans begins, checked out before each plan and at the end. Never touches a tree with
// uncommitted work.

import { Failure, needFailure } from '../failure.ts';
import { switchBranch } from '../git/place/switch-branch.ts';
import { readWorkplace } from '../git/place/workplace.ts';
import { readHead, readRefs } from '../git/protect/snapshot.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { listDirt } from '../git/tree/tree.ts';
import { listRuns } from '../journal/folder.ts';
import { acquireLock } from '../journal/lock.ts';
import { hasOpenSession } from '../journal/state.ts';
import { findOpenRun } from '../phase/open/find-unfinished.ts';
import { type CliContext, printNote } from './context.ts';
import type { Place } from './locate.ts';
import type { RunOptions } from './run-options.ts';

/** Where a queue works. */
export type Ground = Readonly<{ context: CliContext; options: RunOptions; place: Place; repo: Repo }>;

/**
 * Checks out the branch on which a plan continues or begins, with nobody's changes in the tree; returns true if it
 * continues.
 */
export async function makeReady(
  { context, options, place, repo }: Ground,
  plan: string,
  base: string,
): Promise<boolean> {
  const past = options.fresh ? undefined : findOpenRun(listRuns(place.commonDir), plan)?.state;
  // It continues in a worktree of its own; what is checked out here does not matter.
  if (past?.worktree) return true;
  // What a cut-off session left, on whatever branch, the run itself restores.
  if (past && hasOpenSession(past)) return true;
  const { refs } = await readRefs(repo);
  const wanted = past?.started.branch ?? base;
  const target = refs.has(`refs/heads/${wanted}`) ? wanted : base;
  if (readHead(repo).branch === target) return past !== undefined;
  const dirt = await listDirt(repo);
  if (dirt.length > 0) {
    throw new Failure(
      'preflight',
      `${plan} is to start from ${target}, but the working tree has changes: ${fewOf(dirt, 10)}`,
      { hint: 'Commit or stash them, then run the same command again.' },
    );
  }
  using _lock = acquireLock(repo.gitDir, `the queue, before ${plan}`, context.now());
  await switchBranch(repo, { branch: target, create: false });
  return past !== undefined;
}

/** Once all plans had their turn, checks out the branch the command began on; reports what is in the way. */
export async function returnTo({ context, repo }: Ground, base: string): Promise<void> {
  const { branch } = readHead(repo);
  if (branch === base) return;
  try {
    if ((await listDirt(repo)).length > 0) throw new Failure('preflight', 'the tree has changes');
    using _lock = acquireLock(repo.gitDir, 'the queue, at its end', context.now());
    await switchBranch(repo, { branch: base, create: false });
  } catch (error) {
    const failure = needFailure(error);
    printNote(context, `${branch ?? 'no branch'} stays checked out, not ${base}: ${failure.message}`);
  }
}

/** The branch a queue begins on: the one checked out, unless that is the own branch of a plan's unfinished run. */
export async function chooseBase(
  { options, place, repo }: Ground,
  names: readonly string[],
): Promise<string> {
  const { branch, defaultBranch } = await readWorkplace(repo);
  const runs = options.fresh ? [] : listRuns(place.commonDir);
  const own = names.flatMap((name) => findOpenRun(runs, name)?.started.branch ?? []);
  const isOwn = branch !== undefined && own.includes(branch) && branch !== defaultBranch?.name;
  const base = isOwn ? defaultBranch?.name : branch;
  if (base === undefined)
    throw new Failure('preflight', 'pawl cannot tell which branch the plans start from', {
      hint: 'Check it out with `git switch <branch>`, and start again.',
    });
  return base;
}
