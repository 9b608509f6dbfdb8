// Reads history as data.
import type { Repo } from './repo.ts';

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
  return parseLog(await repo.git(['log', '-z', '--no-color', '--no-decorate', format, ...args]));
}

export function parseLog(output: string): readonly LoggedCommit[] {
  return output.split('\0').flatMap((record) => {
    const [oid = '', tree = '', parents = '', at = '', ...message] = record.split('\n');
    if (oid === '') return [];
    return [{ oid, tree, parent: parents.split(' ')[0] || undefined, at, message: message.join('\n') }];
  });
}
