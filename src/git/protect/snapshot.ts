// A snapshot of what a session must not change: HEAD, refs, stash, config, hooks, index flags.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { splitNul } from '../run/names.ts';
import { type Head, parseHead, parseRefs, type Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { readEntry } from '../tree/entry.ts';
import { type Further, readFurther } from './further.ts';
import { type ProtectedFiles, readProtectedFiles } from './protected-files.ts';

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect';

export type Snapshot = Readonly<{
  head: string;
  /** Short name; undefined: detached. */
  branch: string | undefined;
  /** All refs except `refs/pawl/` and remotes. */
  refs: Refs;
  /** Symbolic refs, with their targets. */
  links: Refs;
  /** Object ids of all stash entries, newest first. */
  stashes: readonly string[];
  /** Config, hooks, `info/`, and what `.git` itself is. */
  guarded: ProtectedFiles;
  operation: Operation | undefined;
  /** Raw names of files whose changes git was told to ignore: `h` assume-unchanged, `S` skip-worktree, `s` both. */
  flags: ReadonlyMap<string, string>;
  /** What nothing brings back. */
  further?: Further;
  /** The rescue point that holds the work tree as it was then, if one was saved. */
  rescue?: string;
}>;

/** Reads all of it: config and hooks from their files, before any git runs; the rest with git. */
export async function takeSnapshot(repo: Repo): Promise<Snapshot> {
  const guarded = readProtectedFiles(repo);
  const [{ refs, links, remotes }, flags] = await Promise.all([readRefs(repo), readFlags(repo)]);
  const { head, branch } = resolveHead(readHead(repo), refs);
  if (head === undefined) throw new Failure('git', 'HEAD does not point to a commit');
  return {
    head,
    branch,
    refs,
    links,
    stashes: readStashes(repo, refs),
    guarded,
    operation: findOperation(repo),
    flags,
    further: readFurther(repo, remotes),
  };
}

/** All refs except remotes, with pawl's own separate. */
export async function readRefs(repo: Repo): Promise<ReturnType<typeof parseRefs>> {
  return parseRefs(await repo.git(['for-each-ref', '--format=%(objectname) %(refname) %(symref)']));
}

export function readHead(repo: Pick<Repo, 'gitDir'>): Head {
  // By an entry: a pipe in its place would be waited for without end.
  const entry = readEntry(path.join(repo.gitDir, 'HEAD'));
  if (entry.kind === 'link') return parseHead(`ref: ${entry.target}`);
  return entry.kind === 'file'
    ? parseHead(entry.bytes.toString('utf8'))
    : { branch: undefined, detached: undefined };
}

/** HEAD's commit and branch; no commit if it is unborn or its branch was deleted. */
export function resolveHead(
  head: Head,
  refs: Refs,
): { head: string | undefined; branch: string | undefined } {
  if (head.branch === undefined) return { head: head.detached, branch: undefined };
  return { head: refs.get(`refs/heads/${head.branch}`), branch: head.branch };
}

/** HEAD's commit; throws Failure('git') if there is none. */
export async function readHeadCommit(repo: Repo): Promise<string> {
  return (await repo.git(['rev-parse', 'HEAD'])).trim();
}

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

/** Stash entries, newest first. The reflog is the list: if git has expired it, there is none, whatever the ref holds. */
export function readStashes(repo: Repo, refs: Refs): readonly string[] {
  if (!refs.has('refs/stash')) return [];
  const log = path.join(repo.commonDir, 'logs', 'refs', 'stash');
  const entry = readEntry(log);
  const lines = entry.kind === 'file' ? entry.bytes.toString('latin1').split('\n') : [];
  return lines.flatMap((line) => line.split(' ', 2)[1] ?? []).reverse();
}

/**
 * Files with flags that hide their changes. Identical index files have identical flags, so git is asked only once for each.
 */
export async function readFlags(repo: Repo): Promise<ReadonlyMap<string, string>> {
  return (await readMarks(repo)).flags;
}

export async function hasAttributeFiles(repo: Repo): Promise<boolean> {
  return (await readMarks(repo)).hasAttributes;
}

/** What the names and flags of an index tell. */
type IndexMarks = Readonly<{ flags: ReadonlyMap<string, string>; hasAttributes: boolean }>;

async function readMarks(repo: Repo): Promise<IndexMarks> {
  const digest = digestIndex(repo);
  const last = lastMarks.get(repo);
  if (digest !== undefined && last?.digest === digest) return last;
  const marks = await listMarks(repo);
  if (digest !== undefined && digestIndex(repo) === digest) lastMarks.set(repo, { digest, ...marks });
  return marks;
}

const lastMarks = new WeakMap<Repo, IndexMarks & Readonly<{ digest: string }>>();

/** Undefined if there is no readable regular file. */
function digestIndex({ gitDir }: Repo): string | undefined {
  const file = path.join(gitDir, 'index');
  try {
    return lstatSync(file).isFile()
      ? createHash('sha256').update(readFileSync(file)).digest('hex')
      : undefined;
  } catch {
    return undefined;
  }
}

async function listMarks(repo: Repo): Promise<IndexMarks> {
  let hasAttributes = false;
  const flags = new Map<string, string>();
  const listed = await repo.bytes(['ls-files', '-v', '-z']);
  for (const record of splitNul(listed)) {
    const tag = record[0] ?? 'H';
    if (tag === 'S' || tag !== tag.toUpperCase()) flags.set(record.slice(2), tag);
    if (/[ /]\.gitattributes$/.test(record)) hasAttributes = true;
  }
  return { flags, hasAttributes };
}
