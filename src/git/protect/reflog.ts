// Who moved a ref, from git's reflogs.
import path from 'node:path';
import type { Repo } from '../run/repo.ts';
import { readEntry } from '../tree/entry.ts';

/** `email`: the mover's; `how`: git's words. */
export type ReflogMove = Readonly<{ now: string; email: string; how: string }>;

export function moversOf(
  repo: Pick<Repo, 'gitDir' | 'commonDir'>,
  ref: string,
  start?: string,
): readonly string[] {
  return movesOf(repo, ref, start).map(({ email }) => email);
}

/** Since the ref was at `start`, last first; if it never was, of its whole log. */
export function movesOf(
  repo: Pick<Repo, 'gitDir' | 'commonDir'>,
  ref: string,
  start?: string,
): readonly ReflogMove[] {
  const moves = readMoves(path.join(ref === 'HEAD' ? repo.gitDir : repo.commonDir, 'logs', ref));
  const at = start === undefined ? -1 : moves.findLastIndex(({ now }) => now === start);
  return moves.slice(at + 1).reverse();
}

function readMoves(file: string): readonly ReflogMove[] {
  const entry = readEntry(file);
  if (entry.kind !== 'file') return [];
  return entry.bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, now, email, how = ''] =
        /^[0-9a-f]+ ([0-9a-f]+) [^<\t]*<([^>\t]*)>[^\t]*(?:\t(.*))?$/.exec(line) ?? [];
      return now === undefined || email === undefined ? [] : [{ now, email, how }];
    });
}
