// A snapshot of what a session must not change.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Failure } from '../../failure.ts';
import { readRefs } from '../run/head.ts';
import { type Head, parseHead, type Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { readEntry } from '../tree/entry.ts';
import { readFlags } from '../tree/flags.ts';
import { type Further, readFurther } from './further.ts';
import { type ProtectedFiles, readProtectedFiles } from './protected-files.ts';

export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect';

export type Snapshot = Readonly<{
  head: string;
  /** Short name; undefined: detached. */
  branch: string | undefined;
  /** All but `refs/pawl/` and remotes. */
  refs: Refs;
  /** `refs/pawl/`. */
  own: Refs;
  /** Symbolic refs, with their targets. */
  links: Refs;
  /** Object ids, newest first. */
  stashes: readonly string[];
  guarded: ProtectedFiles;
  operation: Operation | undefined;
  /** Raw names of files whose changes git ignores: `h` assume-unchanged, `S` skip-worktree, `s` both. */
  flags: ReadonlyMap<string, string>;
  further?: Further;
  /** The rescue point that holds the work tree as it was then. */
  rescue?: string;
  /** Nobody may change anything until this is over. */
  still?: Still;
}>;

/** Who looks, and the plan's text if pawl puts it back. */
export type Still = Readonly<{ who: 'reviewer' | 'planner' | 'check'; plan?: string }>;

/** Config and hooks are read before any git runs. */
export async function takeSnapshot(repo: Repo): Promise<Snapshot> {
  const guarded = readProtectedFiles(repo);
  const [{ refs, own, links, remotes }, flags] = await Promise.all([readRefs(repo), readFlags(repo)]);
  const { head, branch } = resolveHead(readHead(repo), refs);
  if (head === undefined) throw new Failure('git', 'HEAD does not point to a commit');
  return {
    head,
    branch,
    refs,
    own,
    links,
    stashes: readStashes(repo, refs),
    guarded,
    operation: findOperation(repo),
    flags,
    further: readFurther(repo, remotes),
  };
}

export function readHead(repo: Pick<Repo, 'gitDir'>): Head {
  // A pipe in its place would block a plain read forever.
  const entry = readEntry(path.join(repo.gitDir, 'HEAD'));
  if (entry.kind === 'link') return parseHead(`ref: ${entry.target}`);
  return entry.kind === 'file'
    ? parseHead(entry.bytes.toString('utf8'))
    : { branch: undefined, detached: undefined };
}

/** No commit if HEAD is unborn or its branch was deleted. */
export function resolveHead(
  head: Head,
  refs: Refs,
): { head: string | undefined; branch: string | undefined } {
  if (head.branch === undefined) return { head: head.detached, branch: undefined };
  return { head: refs.get(`refs/heads/${head.branch}`), branch: head.branch };
}

/** Throws Failure('git') if there is none. */
export async function readHeadCommit(repo: Repo): Promise<string> {
  return readLoose(repo) ?? (await repo.git(['rev-parse', 'HEAD'])).trim();
}

/**
 * A ref of all working trees, or HEAD, as git's own file has it: several times per task, a program less. Undefined: only
 * git knows.
 */
export function readLoose(repo: Pick<Repo, 'gitDir' | 'commonDir'>, ref?: string): string | undefined {
  if (ref === undefined) {
    const { branch, detached } = readHead(repo);
    return branch === undefined ? detached : readLoose(repo, `refs/heads/${branch}`);
  }
  const entry = readEntry(path.join(repo.commonDir, ref));
  return entry.kind === 'file' ? parseHead(entry.bytes.toString('utf8')).detached : undefined;
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

/** Newest first. If git has expired the reflog, there are none, whatever the ref holds. */
export function readStashes(repo: Repo, refs: Refs): readonly string[] {
  if (!refs.has('refs/stash')) return [];
  const log = path.join(repo.commonDir, 'logs', 'refs', 'stash');
  const entry = readEntry(log);
  const lines = entry.kind === 'file' ? entry.bytes.toString('latin1').split('\n') : [];
  return lines.flatMap((line) => line.split(' ', 2)[1] ?? []).reverse();
}

export function writeSnapshot(snapshot: Snapshot, { root }: Pick<Repo, 'root'>): Buffer {
  return serialize({ ...snapshot, root });
}

/**
 * Undefined if the repository has moved; bytes that are no snapshot throw Failure('disk'). The identity of `.git` is
 * dropped: a reboot may change it.
 */
export function parseSnapshot(bytes: Uint8Array, repo: Pick<Repo, 'root'>): Snapshot | undefined {
  try {
    const { root, ...snapshot }: Snapshot & { root: string } = deserialize(bytes);
    if (root !== repo.root) return undefined;
    return { ...snapshot, guarded: { ...snapshot.guarded, identity: undefined } };
  } catch (cause) {
    throw new Failure('disk', 'the saved snapshot of the repository cannot be read', { cause });
  }
}
