// Makes one commit of a run's commits, with the same tree; a ref, set in the same transaction, keeps the old ones. No
// hook runs: tree and messages have passed them.
import { readHeadCommit, readRefs } from '../protect/snapshot.ts';
import { changeRefs } from '../run/head.ts';
import { type LoggedCommit, readLog } from '../run/log.ts';
import { nextRefs, pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';

type SquashOptions = Readonly<{
  run: string;
  /** Where the run began. */
  base: string;
  /** The old commits come oldest first. */
  messageOf: (commits: readonly LoggedCommit[]) => string;
}>;

/** `kept`: the ref of the old ones. */
export type Squashed = Readonly<{ from: string; to: string; kept: string; commits: number }>;

/** A text: why the commits since `base` stay as they are. */
export async function squash(repo: Repo, options: SquashOptions): Promise<Squashed | string> {
  const { run, base, messageOf } = options;
  const from = await readHeadCommit(repo);
  const { own } = await readRefs(repo);
  const commits = (await readLog(repo, [`${base}..${from}`, '--'])).toReversed();
  const done = await findSquashed(repo, { run, own, to: from });
  if (done && commits.length === 1) return done;
  const strange = commits.find(({ message }) => !message.split('\n').includes(`Pawl-Run: ${run}`));
  if (strange) return `${strange.oid.slice(0, 10)} is not a commit of this run`;
  const [last] = commits.slice(-1);
  if (!last || commits.length === 1) return 'there are no two commits';
  const args = ['commit-tree', ...(await signing(repo)), '-p', base, last.tree];
  const to = (await repo.write('squashed commit', args, { input: messageOf(commits) })).trim();
  const kept = nextRefs(own, run, 'squashed')();
  await changeRefs(repo, 'squash the run', [
    { ref: kept, now: from, old: undefined },
    { ref: 'HEAD', now: to, old: from },
  ]);
  return { from, to, kept, commits: commits.length };
}

/** A squash made before a kill: HEAD has the tree of what the last ref keeps. */
async function findSquashed(
  repo: Repo,
  { run, own, to }: Readonly<{ run: string; own: ReadonlyMap<string, string>; to: string }>,
): Promise<Squashed | undefined> {
  const [kept, from] = [...own].findLast(([ref]) => ref.startsWith(pawlRef(run, 'squashed/'))) ?? [];
  if (kept === undefined || from === undefined) return undefined;
  const trees = await repo.git(['rev-parse', `${from}^{tree}`, `${to}^{tree}`]);
  const [before, after] = trees.trim().split('\n');
  if (before !== after) return undefined;
  const count = Number((await repo.git(['rev-list', '--count', from, `^${to}`])).trim());
  return { from, to, kept, commits: count };
}

/** As `git commit` would. */
export async function signing(repo: Repo): Promise<readonly string[]> {
  const signed = await repo.git(['config', '--type=bool', '--get', 'commit.gpgSign'], { okCodes: [0, 1] });
  return signed.trim() === 'true' ? ['-S'] : [];
}
