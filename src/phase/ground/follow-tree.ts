// Lets a working tree follow its branch after pawl has moved it. A file in the run's folder says from where, so that a kill
// in between is completed.
import { existsSync, readFileSync } from 'node:fs';
import { removeFile } from '../../disk.ts';
import { followBranch } from '../../git/lane/follow.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { writeFileAtomic } from '../../write-file.ts';

/**
 * `file`: the commit from which the files are to follow and, once they are being written, their raw names, separated by NUL.
 * `stay`: files that somebody else takes care of.
 */
export type Follower = Readonly<{
  file: string;
  repo: Repo;
  branch: string;
  stay?: ReadonlySet<string>;
  /** Called before any file is written. */
  onBegin?: (from: string, to: string) => Promise<void>;
  /** Files that differ from both commits because of a person, and stay. */
  onKept: (files: readonly string[]) => void;
}>;

/**
 * Records that the tree must follow from there, unless it still has to follow from an earlier commit; returns true if
 * recorded now.
 */
export function announceFollow(file: string, from: string): boolean {
  if (existsSync(file)) return false;
  writeFileAtomic(file, from, 0o600);
  return true;
}

export async function completeFollow(follower: Follower): Promise<void> {
  const { file, repo, branch, stay, onBegin, onKept } = follower;
  if (!existsSync(file)) return;
  const [from = '', ...names] = readFileSync(file, 'latin1').split('\0');
  const to = await readRef(repo, `refs/heads/${branch}`);
  if (to === undefined) return;
  if (from !== to) {
    await onBegin?.(from, to);
    const { kept } = await followBranch(repo, {
      from,
      to,
      begun: new Set(names),
      ...(stay ? { stay } : {}),
      onBegin: (raws) => writeFileAtomic(file, Buffer.from([from, ...raws].join('\0'), 'latin1'), 0o600),
    });
    if (kept.length > 0) onKept(kept);
  }
  removeFile(file);
}
