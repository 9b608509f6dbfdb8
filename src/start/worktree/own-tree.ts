// The removal of a discarded run's own worktree: only while it is known as that, and everything in it is saved.
import path from 'node:path';
import { removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { findIgnoredWork } from '../../git/place/ignored-work.ts';
import { forgetWorktree, judgeHistory, readWorktree } from '../../git/place/worktree.ts';
import type { Repo } from '../../git/run/repo.ts';
import { type DiscardRequest, saveTree } from '../../phase/resume/discard-run.ts';
import { type CliContext, printNote } from '../context.ts';
import type { Place } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';
import { judgeIgnored } from './reclaim.ts';
import { freeSlot } from './slot.ts';

/**
 * The ignored files in it that must be saved; throws Failure('preflight') if it cannot be removed. `from`: root of the tree
 * whose untracked files were copied.
 */
export async function lookAtOwnTree(repo: Repo, from: string): Promise<readonly string[]> {
  const [facts, ignored] = await Promise.all([readWorktree(repo, from), findIgnoredWork(repo, from)]);
  const why = judgeHistory(facts) ?? judgeIgnored(ignored);
  if (why === undefined) return ignored.files;
  throw new Failure('preflight', `${repo.root} would be removed, and ${why}`, {
    hint: 'Resolve that or move it elsewhere, then run the same command again.',
  });
}

/**
 * Removes it once its current state is saved; if it is gone, git only forgets it. `saved`: the rescue that is reported
 * anyway. Returns the repository from which it was asked.
 */
export async function removeOwnTree(
  context: CliContext,
  request: DiscardRequest & Readonly<{ place: Place; from: string; saved: string | undefined }>,
): Promise<Repo> {
  const { repo: tree, run, rescue, ownTree, place, from, saved } = request;
  const repo = await openPlainRepo(context, place);
  const folder = ownTree ? tree.root : (run.state.worktree?.path ?? tree.root);
  if (ownTree) {
    const ignored = await lookAtOwnTree(tree, from);
    const oid = await saveTree({ ...request, rescue: { ...rescue, ignored } });
    if (oid !== saved)
      printNote(
        context,
        `What is in ${folder} now is saved: pawl rescue restore ${oid.slice(0, 10)} --run ${run.id}`,
      );
    removeOwnFolder(folder);
  }
  await forgetWorktree(repo, folder);
  freeSlot(path.dirname(folder));
  return repo;
}
