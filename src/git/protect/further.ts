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
  /** HEAD's, by its reflog, where it stays unless that is expired as a whole. */
  lastMove: string | undefined;
  /** Where pawl itself has pushed to, and what. */
  pushed?: Pushed | undefined;
}>;

export type Pushed = Readonly<{ ref: string; head: string }>;

type Places = Pick<Repo, 'root' | 'gitDir' | 'commonDir'>;

export function readFurther(repo: Places, remotes: Refs): Further {
  return {
    remotes,
    worktrees: readWorktrees(repo),
    lastMove: listMoves(repo)[0],
  };
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

/** Last first. */
function listMoves(repo: Places): readonly string[] {
  return movesOf(repo, 'HEAD').map(({ now, how }) => `${now} ${how}`);
}

type FurtherChange = Readonly<{
  act: 'pushed' | 'changed-worktree' | 'expired-reflog';
  detail: string;
  response: 'reported';
}>;

export function compareFurther(
  repo: Places,
  before: Further | undefined,
  now: Further,
): readonly FurtherChange[] {
  if (!before) return [];
  const name = (act: FurtherChange['act'], detail: string) =>
    ({ act, detail, response: 'reported' }) as const;
  const trees = [...before.worktrees].flatMap(([where, head]) => {
    const found = now.worktrees.get(where);
    if (found === undefined)
      return name('changed-worktree', `${where} was removed, with what was not committed there`);
    return found === head ? [] : name('changed-worktree', `${where} is at ${found} (it was at ${head})`);
  });
  const isExpired = before.lastMove !== undefined && !listMoves(repo).includes(before.lastMove);
  return [
    ...findPushes(repo, before.remotes, now).map((detail) => name('pushed', detail)),
    ...trees,
    ...(isExpired ? [name('expired-reflog', 'commits that no ref holds may be gone for good')] : []),
  ];
}

/** A fetch moves these refs too: git's words in the reflog tell which it was. */
function findPushes(repo: Places, before: Refs, { remotes: now, pushed }: Further): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((ref) => {
    const [old, current] = [before.get(ref), now.get(ref)];
    if (old === current || (ref === pushed?.ref && current === pushed.head)) return [];
    const short = ref.slice('refs/remotes/'.length);
    const from = (old ?? 'nothing').slice(0, 12);
    if (current === undefined) return `${short} is gone, there or only here (it was ${from})`;
    const isPushed = movesOf(repo, ref, old).some(({ how }) => how === 'update by push');
    return isPushed ? `${short} from ${from} to ${current.slice(0, 12)}` : [];
  });
}

/** `email`: the mover's; `how`: git's words. */
type ReflogMove = Readonly<{ now: string; email: string; how: string }>;

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
