// Finds pawl's commits by their trailers.
import { type LoggedCommit, readLog } from '../run/log.ts';
import type { Repo } from '../run/repo.ts';

export type TaskCommit = LoggedCommit &
  Readonly<{
    run: string;
    task: string;
    /** Random; journaled before the commit. */
    key: string;
    /** As in the trailer, e.g. `none`; undefined without one. */
    checks: string | undefined;
  }>;

/** Among HEAD's first parents since `base` (undefined: all), newest first. */
export async function listCommits(repo: Repo, base: string | undefined): Promise<readonly TaskCommit[]> {
  const range = base === undefined ? 'HEAD' : `${base}..HEAD`;
  const commits = await readLog(repo, ['--first-parent', '--grep=^Pawl-Close: ', range, '--']);
  return commits.flatMap((commit) => readTaskCommit(commit) ?? []);
}

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
  return { ...commit, run: trailers.get('Pawl-Run') ?? '', task, key, checks: trailers.get('Pawl-Checks') };
}
