// What nothing brings back: pushes, other working trees, commits that only a reflog held.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../../or-else.ts';
import type { Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { readEntry } from '../tree/entry.ts';

export type Further = Readonly<{
  remotes: Refs;
  /** By folder, with HEAD as git keeps it. */
  worktrees: ReadonlyMap<string, string>;
  /** HEAD's last reflog line, which stays unless the log is expired as a whole. */
  lastMove: string;
}>;

export type Places = Pick<Repo, 'root' | 'gitDir' | 'commonDir'>;

export function readFurther(repo: Places, remotes: Refs): Further {
  return {
    remotes,
    worktrees: readWorktrees(repo),
    lastMove: readReflog(repo).trim().split('\n').at(-1) ?? '',
  };
}

export function readReflog({ gitDir }: Places): string {
  const entry = readEntry(path.join(gitDir, 'logs', 'HEAD'));
  return entry.kind === 'file' ? entry.bytes.toString('utf8') : '';
}

function readWorktrees({ root, gitDir, commonDir }: Places): Further['worktrees'] {
  const folder = path.join(commonDir, 'worktrees');
  const read = (name: string, file: string): string =>
    orElse(() => readFileSync(path.join(folder, name, file), 'utf8').trim(), '');
  const all = orElse(() => readdirSync(folder), []).map((name) => {
    return [path.dirname(read(name, 'gitdir')), read(name, 'HEAD')] as const;
  });
  const main = path.dirname(commonDir);
  // From a linked working tree, the main one is another.
  if (commonDir !== gitDir)
    all.push([main, orElse(() => readFileSync(path.join(commonDir, 'HEAD'), 'utf8').trim(), '')]);
  return new Map(all.filter(([where]) => where !== root && existsSync(where)));
}
