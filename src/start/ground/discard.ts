// The removal of a discarded run's own ground: only while it is known as that, and everything in it is saved.
import path from 'node:path';
import { removeEmptyFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { keepAllOfGround } from '../../git/lane/ground-home.ts';
import { removeLane } from '../../git/lane/save-lane.ts';
import { findIgnoredWork } from '../../git/place/ignored-work.ts';
import { findOperation } from '../../git/protect/snapshot.ts';
import type { Repo } from '../../git/run/repo.ts';
import { forgetGround, listGrounds } from '../../journal/grounds.ts';
import { type DiscardRequest, saveTree } from '../../phase/resume/discard-run.ts';
import { type CliContext, printNote } from '../context.ts';
import { judgeIgnored } from './remove.ts';

/**
 * The ignored files in it that must be saved; throws Failure('preflight') if it cannot be removed. `from`: root of the tree
 * whose untracked files were copied.
 */
export async function lookAtOwnGround(repo: Repo, from: string): Promise<readonly string[]> {
  const ignored = await findIgnoredWork(repo, from);
  const operation = findOperation(repo);
  const why = operation === undefined ? judgeIgnored(ignored) : `a ${operation} is in progress in it`;
  if (why === undefined) return ignored.files;
  throw new Failure('preflight', `${repo.root} would be removed, and ${why}`, {
    hint: 'Resolve that or move it elsewhere, then run the same command again.',
  });
}

/**
 * Removes it once its current state is saved; if it is gone, only its number is freed. `saved`: the rescue that is reported
 * anyway. Returns the person's repository.
 */
export async function removeOwnGround(
  context: CliContext,
  request: DiscardRequest & Readonly<{ home: Repo; from: string; saved: string | undefined }>,
): Promise<Repo> {
  const { repo: ground, run, rescue, ownTree, home, from, saved } = request;
  const root = ownTree ? ground.root : run.state.worktree?.path;
  if (ownTree) {
    const ignored = await lookAtOwnGround(ground, from);
    const oid = await saveTree({ ...request, rescue: { ...rescue, ignored } });
    await keepAllOfGround({ ground, home, run: run.id, branch: run.state.started.branch });
    if (oid !== saved)
      printNote(
        context,
        `What is in ${ground.root} now is saved: pawl rescue restore ${oid.slice(0, 10)} --run ${run.id}`,
      );
    removeLane(ground.root);
    removeEmptyFolder(path.dirname(ground.root));
  }
  const known = listGrounds(home.home).find((each) => each.root === root);
  if (known) forgetGround(known.folder);
  return home;
}
