// How two commits are related in history.
import type { Repo } from './repo.ts';

export async function descends(repo: Repo, start: string, head: string | undefined): Promise<boolean> {
  if (head === undefined) return false;
  // Exit 1: nothing in common.
  const base = await repo.git(['merge-base', start, head], { okCodes: [0, 1] });
  return base.trim() === start;
}

/** As `descends`; false too for what is no commit. */
export async function leadsTo(repo: Repo, start: string, head: string): Promise<boolean> {
  const base = await repo.git(['merge-base', start, head], { okCodes: [0, 1, 128] });
  return base.trim() === start;
}

/** Of commits. */
export async function isSameTree(repo: Repo, one: string, other: string): Promise<boolean> {
  const trees = await repo.git(['rev-parse', `${one}^{tree}`, `${other}^{tree}`]);
  return new Set(trees.trim().split('\n')).size === 1;
}

export async function describeCommits(
  repo: Repo,
  { start, head, branch }: Readonly<{ start: string; head: string; branch: string | undefined }>,
): Promise<string> {
  const count = (await repo.git(['rev-list', '--count', `${start}..${head}`])).trim();
  const where = branch === undefined ? 'a detached HEAD' : branch;
  return `${count} ${count === '1' ? 'commit' : 'commits'} on ${where}`;
}

export type LoggedCommit = Readonly<{
  oid: string;
  tree: string;
  /** Undefined for a root commit. */
  parent: string | undefined;
  /** Committer date, ISO 8601. */
  at: string;
  message: string;
}>;

/** In git's order. An unknown revision throws Failure('git'). */
export async function readLog(repo: Repo, args: readonly string[]): Promise<readonly LoggedCommit[]> {
  const format = '--format=%H%n%T%n%P%n%cI%n%B';
  const output = await repo.git(['log', '-z', '--no-color', '--no-decorate', format, ...args]);
  return output.split('\0').flatMap((record) => {
    const [oid = '', tree = '', parents = '', at = '', ...message] = record.split('\n');
    if (oid === '') return [];
    return [{ oid, tree, parent: parents.split(' ')[0] || undefined, at, message: message.join('\n') }];
  });
}
