// Puts a commit of the branch lower in its history, with the same files at the end; a ref, set in the same transaction,
// keeps the old history. Only objects and refs change: index and work tree stay right.
import { signing } from '../commit/squash.ts';
import { readHeadCommit, readRefs } from '../protect/snapshot.ts';
import { changeRefs } from '../run/head.ts';
import { type LoggedCommit, readLog } from '../run/log.ts';
import { nextRefs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { mergeTrees } from './merge-trees.ts';

/** `after`: the commit that it shall follow. */
type Move = Readonly<{ run: string; oid: string; after: string }>;

/** A text: why it stays where it is. */
export async function moveCommit(repo: Repo, { run, oid, after }: Move): Promise<string | undefined> {
  const from = await readHeadCommit(repo);
  const above = (await readLog(repo, ['--first-parent', `${after}..${from}`, '--'])).toReversed();
  const merges = await repo.git(['rev-list', '--min-parents=2', '--count', `${after}..${from}`]);
  const moved = above.find((commit) => commit.oid === oid);
  if (!moved || merges.trim() !== '0') return 'there is a merge in between';
  let onto = after;
  for (const commit of [moved, ...above.filter((one) => one !== moved)]) {
    const next = await replay(repo, commit, onto);
    if (next === undefined) return `${commit.oid.slice(0, 10)} would be in conflict`;
    onto = next;
  }
  const trees = (await repo.git(['rev-parse', `${from}^{tree}`, `${onto}^{tree}`])).trim().split('\n');
  if (trees[0] !== trees[1]) return 'the files would not be the same';
  const { own } = await readRefs(repo);
  await changeRefs(repo, 'move a fix into its layer', [
    { ref: nextRefs(own, run, 'moved')(), now: from, old: undefined },
    { ref: 'HEAD', now: onto, old: from },
  ]);
  return undefined;
}

/** Its change, message, author and dates on another commit; undefined in a conflict. */
async function replay(repo: Repo, { oid, parent, message }: LoggedCommit, onto: string) {
  if (parent === undefined) return undefined;
  const merge = await mergeTrees(repo, { base: parent, head: onto, work: oid, isRewritten: true });
  if (merge.conflicts.length > 0 || merge.clashes.length > 0) return undefined;
  const about = await repo.git(['show', '-s', '--format=%an%n%ae%n%aI%n%cn%n%ce%n%cI', oid]);
  const [authorName = '', authorEmail = '', authorDate = '', name = '', email = '', date = ''] =
    about.split('\n');
  const env = {
    ...{ GIT_AUTHOR_NAME: authorName, GIT_AUTHOR_EMAIL: authorEmail, GIT_AUTHOR_DATE: authorDate },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  };
  const args = ['commit-tree', ...(await signing(repo)), '-p', onto, merge.tree];
  return (await repo.write('commit in another place', args, { input: message, env })).trim();
}
