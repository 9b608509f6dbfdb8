// Finds pawl's commits by their trailers.
import { readHeadCommit } from '../protect/snapshot.ts';
import { isSameTree, type LoggedCommit, readLog } from '../run/ancestry.ts';
import { moveHead, readRefs } from '../run/head.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { signing } from './commit.ts';

export type TaskCommit = LoggedCommit &
  Readonly<{
    run: string;
    task: string;
    /** Random; journaled before the commit. */
    key: string;
  }>;

export async function findClose(repo: Repo, key: string, since: string): Promise<TaskCommit | undefined> {
  const commits = await readLog(repo, [
    '--fixed-strings',
    `--grep=Pawl-Close: ${key}`,
    `${since}..HEAD`,
    '--',
  ]);
  return commits.flatMap((commit) => readTaskCommit(commit) ?? []).find((commit) => commit.key === key);
}

/** From all messages since `base`: a squash or a rebase by hand keeps them. */
export async function listCloseKeys(repo: Repo, base: string): Promise<ReadonlySet<string>> {
  const commits = await readLog(repo, ['--grep=^Pawl-Close: ', `${base}..HEAD`, '--']);
  return new Set(commits.flatMap(({ message }) => closeKeysOf(message)));
}

export function closeKeysOf(message: string): readonly string[] {
  return [...message.matchAll(/^[ \t]*Pawl-Close: *(\S+)[ \t\r]*$/gm)].map(([, key = '']) => key);
}

export function readTaskCommit(commit: LoggedCommit): TaskCommit | undefined {
  // A hook may have appended a paragraph.
  const paragraph = commit.message.split(/\n[ \t]*\n/).findLast((text) => /^Pawl-Close:/m.test(text)) ?? '';
  const trailers = new Map(
    paragraph.split('\n').flatMap((line): [string, string][] => {
      const [, name, value] = /^(Pawl-[A-Za-z]+):([^\n]*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.trim()]];
    }),
  );
  const [task, key] = [trailers.get('Pawl-Task'), trailers.get('Pawl-Close')];
  if (task === undefined || key === undefined) return undefined;
  return { ...commit, run: trailers.get('Pawl-Run') ?? '', task, key };
}

type SquashOptions = Readonly<{
  run: string;
  /** Where the run began. */
  base: string;
  /** The old commits come oldest first. */
  messageOf: (commits: readonly LoggedCommit[]) => string;
}>;

/** `kept`: the ref of the old ones. */
type Squashed = Readonly<{ from: string; to: string; kept: string; commits: number }>;

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
  const kept = await moveHead(repo, 'squash the run', { run, folder: 'squashed', from, to });
  return { from, to, kept, commits: commits.length };
}

/** A squash made before a kill: HEAD has the tree of what the last ref keeps. */
async function findSquashed(
  repo: Repo,
  { run, own, to }: Readonly<{ run: string; own: ReadonlyMap<string, string>; to: string }>,
): Promise<Squashed | undefined> {
  const [kept, from] = [...own].findLast(([ref]) => ref.startsWith(pawlRef(run, 'squashed/'))) ?? [];
  if (kept === undefined || from === undefined) return undefined;
  if (!(await isSameTree(repo, from, to))) return undefined;
  const count = Number((await repo.git(['rev-list', '--count', from, `^${to}`])).trim());
  return { from, to, kept, commits: count };
}
