// What must be as it was once a session ends: HEAD, refs, stash, config, hooks, index flags. It reads only.
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { type Guarded, readGuarded } from './guarded.ts';
import { stampOf } from './index-file.ts';
import { parseIndexFlags } from './index-flags.ts';
import { readLooseRef } from './loose.ts';
import { splitNul } from './names.ts';
import { readRefFiles } from './ref-files.ts';
import { type Head, parseHead, parseRefs, type Refs, sortRefs } from './refs.ts';
import { stampRefs } from './refs-stamp.ts';
import type { Repo } from './repo.ts';

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect';

export type Snapshot = Readonly<{
  /** The commit that HEAD stands for. */
  head: string;
  /** Short name; undefined: detached. */
  branch: string | undefined;
  /** All refs but `refs/pawl/` and remotes. */
  refs: Refs;
  /** Object ids of all stash entries, the newest first. */
  stashes: readonly string[];
  /** Config, hooks, `info/`, and what `.git` itself is. */
  guarded: Guarded;
  operation: Operation | undefined;
  /** Raw names of files whose changes git was told not to look at, with how: `h` assume-unchanged, `S` skip-worktree, `s` both. */
  flags: ReadonlyMap<string, string>;
  /** Size, time and inode of the index file: equal means the flags are too. */
  indexStamp: string;
}>;

/** Reads it all, most of it from files. */
export async function takeSnapshot(repo: Repo): Promise<Snapshot> {
  const guarded = readGuarded(repo);
  const indexStamp = stampIndex(repo);
  const [{ refs }, flags] = await Promise.all([readRefs(repo), readFlags(repo)]);
  const { head, branch } = resolveHead(readHead(repo), refs);
  if (head === undefined) throw new Failure('git', 'HEAD does not point to a commit.');
  return {
    head,
    branch,
    refs,
    stashes: readStashes(repo, refs),
    guarded,
    operation: findOperation(repo),
    flags,
    indexStamp,
  };
}

/** All refs but remotes; pawl's own apart. */
export async function readRefs(repo: Repo): Promise<Readonly<{ refs: Refs; own: Refs }>> {
  // Before git reads: what moves meanwhile shows at the next look.
  const stamp = stampRefs(repo);
  const last = seen.get(repo);
  if (stamp !== undefined && last?.stamp === stamp) return last.found;
  const lines = readRefFiles(repo);
  const found = lines
    ? sortRefs(lines)
    : parseRefs(await repo.git(['for-each-ref', '--format=%(objectname) %(refname)']));
  seen.set(repo, { stamp, found });
  return found;
}

/** The last answer, true as long as the stamp is. */
const seen = new WeakMap<
  Repo,
  Readonly<{ stamp: string | undefined; found: Readonly<{ refs: Refs; own: Refs }> }>
>();

/** HEAD as its file says. */
export function readHead(repo: Pick<Repo, 'gitDir'>): Head {
  const file = path.join(repo.gitDir, 'HEAD');
  try {
    return parseHead(
      lstatSync(file).isSymbolicLink() ? `ref: ${readlinkSync(file)}` : readFileSync(file, 'utf8'),
    );
  } catch {
    return { branch: undefined, detached: undefined };
  }
}

/** The commit and branch that HEAD stands for; no commit: unborn, or its branch was deleted. */
export function resolveHead(
  head: Head,
  refs: Refs,
): { head: string | undefined; branch: string | undefined } {
  if (head.branch === undefined) return { head: head.detached, branch: undefined };
  return { head: refs.get(`refs/heads/${head.branch}`), branch: head.branch };
}

/** The commit that HEAD stands for, as the files say; where they don't (packed refs, another store), as git says. */
export async function readHeadCommit(repo: Repo): Promise<string> {
  return readLooseHead(repo) ?? (await repo.git(['rev-parse', 'HEAD'])).trim();
}

/** The commit that HEAD stands for, where files tell. */
export function readLooseHead(repo: Repo): string | undefined {
  const { branch, detached } = readHead(repo);
  return branch === undefined ? detached : readLooseRef(repo, `refs/heads/${branch}`);
}

/** The operation that waits to be continued, by its state files. */
export function findOperation(repo: Pick<Repo, 'gitDir'>): Operation | undefined {
  return operationFiles.find(([file]) => existsSync(path.join(repo.gitDir, file)))?.[1];
}

const operationFiles: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick'],
  ['BISECT_LOG', 'bisect'],
];

/** Stash entries, the newest first, from the reflog that is the stash list. */
export function readStashes(repo: Repo, refs: Refs): readonly string[] {
  const top = refs.get('refs/stash');
  try {
    const lines = readFileSync(path.join(repo.commonDir, 'logs', 'refs', 'stash'), 'latin1').split('\n');
    const entries = lines.flatMap((line) => line.split(' ', 2)[1] ?? []);
    if (top !== undefined && entries.at(-1) === top) return entries.reverse();
  } catch {
    // No list: the ref alone says what there is.
  }
  return top === undefined ? [] : [top];
}

/** Files with flags that hide their changes. */
export async function readFlags(repo: Repo, index?: string): Promise<ReadonlyMap<string, string>> {
  const read = parseFlagsOf(repo, index);
  if (read) return read;
  const flags = new Map<string, string>();
  const listed = await repo.bytes(['ls-files', '-v', '-z'], index === undefined ? {} : { index });
  for (const record of splitNul(listed)) {
    const tag = record[0] ?? 'H';
    if (tag === 'S' || tag !== tag.toUpperCase()) flags.set(record.slice(2), tag);
  }
  return flags;
}

function parseFlagsOf(repo: Repo, index: string | undefined): ReadonlyMap<string, string> | undefined {
  // What tells how long an object id is in this repository.
  const oid = readLooseHead(repo);
  if (oid === undefined) return undefined;
  try {
    return parseIndexFlags(readFileSync(index ?? path.join(repo.gitDir, 'index')), oid.length / 2);
  } catch {
    return undefined;
  }
}

/** Changes whenever the index file is written. */
export function stampIndex(repo: Pick<Repo, 'gitDir'>): string {
  return stampOf(path.join(repo.gitDir, 'index'));
}
