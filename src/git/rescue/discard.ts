// Discards a run's work: its branch goes back or is deleted, and the work tree loses its changes. A ref and a rescue
// point keep both.
import { Failure } from '../../failure.ts';
import { readHead } from '../protect/snapshot.ts';
import { changeRefs, pointHead, type RefChange, readRef } from '../run/head.ts';
import { type LoggedCommit, readLog } from '../run/log.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex, withCopy } from '../tree/index-file.ts';
import { planRestore, restoreTree } from './rescue.ts';

/** Journaled first, to be completed after a kill. */
export type Discard = Readonly<{
  branch: string;
  /** Absent if the branch is already gone. */
  head?: string | undefined;
  /** Where it goes back to; absent: the run created it, and it is deleted. */
  back?: string | undefined;
  /** The work tree that has it checked out, if any. */
  tree?:
    | Readonly<{
        /** Holds the work tree's state before. */
        rescue: string;
        /** The branch to check out afterwards; absent: the same. */
        onto?: string | undefined;
        keep: readonly string[];
      }>
    | undefined;
}>;

export function discardedRef(run: string): string {
  return pawlRef(run, 'discarded');
}

/** `base`: where the run began. */
export type CommitSpan = Readonly<{ base: string; head: string; branch: string }>;

/** A person's: without a run's mark, and on no other branch, tag or remote branch. */
export async function findForeignCommits(
  repo: Repo,
  { base, head, branch }: CommitSpan,
): Promise<readonly LoggedCommit[]> {
  const elsewhere = ['--not', `--exclude=${branch}`, '--branches', '--remotes', '--tags'];
  const commits = await readLog(repo, [head, `^${base}`, ...elsewhere, '--']);
  return commits.filter(({ message }) => !/^Pawl-Run: /m.test(message));
}

/** Throws what would prevent it; changes nothing. */
export async function tryDiscard(repo: Repo, discard: Discard, { index }: { index: string }): Promise<void> {
  const { tree } = discard;
  if (!tree) return;
  const to = { tree: targetOf(discard), rescue: tree.rescue, keep: new Set(tree.keep) };
  await withCopy(index, 'discard', (copy) => planRestore(repo, { ...to, index: copy }));
}

/** Completes it after a kill, too. */
export async function discardWork(
  repo: Repo,
  discard: Discard,
  { run, index }: Readonly<{ run: string; index: string }>,
): Promise<void> {
  const { branch, head, back, tree } = discard;
  const ref = `refs/heads/${branch}`;
  const kept = discardedRef(run);
  const [now, isKept] = [await readRef(repo, ref), (await readRef(repo, kept)) !== undefined];
  if (now !== undefined && now !== head && now !== back) throw movedOn(branch);
  const keep: readonly RefChange[] =
    head === undefined || isKept ? [] : [{ ref: kept, now: head, old: undefined }];
  const goesBack = back !== undefined && now !== undefined && now === head && now !== back;
  await changeRefs(repo, 'keep what is discarded', [
    ...keep,
    ...(goesBack ? [{ ref, now: back, old: now }] : []),
  ]);
  if (tree && readHead(repo).branch === branch) {
    const to = { tree: targetOf(discard), rescue: tree.rescue, keep: new Set(tree.keep) };
    await withCopy(index, 'discard', (copy) => restoreTree(repo, { ...to, index: copy }));
    if (tree.onto !== undefined) await pointHead(repo, tree.onto);
  }
  if (tree) await setIndex(repo, 'HEAD');
  if (back === undefined && now !== undefined)
    await changeRefs(repo, `drop branch ${branch}`, [{ ref, now: undefined, old: now }]);
}

function targetOf({ back, tree }: Discard): string {
  return tree?.onto === undefined ? (back ?? 'HEAD') : `refs/heads/${tree.onto}`;
}

function movedOn(branch: string): Failure {
  return new Failure('history', `somebody has moved ${branch} since the discard began`, {
    hint: `Keep its commits with \`git branch ${branch}-mine ${branch}\`, and move it back to where \`git reflog ${branch}\` has it.`,
  });
}
