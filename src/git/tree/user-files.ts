// Fingerprints of the user's untracked files, as they were when the run started or the user last changed them, so that an
// agent's change shows. Kept in small files beside the index.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { pathOf, rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from './entry.ts';

/** Files above it are known by size and time alone; in bytes. */
const hashedBytes = 1_000_000;

/** `size mtime` and, of a small file, a hash of its content. */
type Stamp = Readonly<{ stat: string; hash?: string }>;

type Place = Pick<Repo, 'root'>;

/** Records what the user's untracked files are now, for `index`; a later record replaces it. Call it before the first session. */
export function stampUserFiles(repo: Place, index: string, files: Iterable<string>): void {
  const stamps = newStamps();
  for (const file of files) {
    const stamp = stampOf(repo, file);
    if (stamp) stamps[file] = stamp;
  }
  makeFolder(path.dirname(index));
  writeStamps(recordOf(index), stamps);
}

/** Records some of them anew: they are what they were, with another time. */
export function restampUserFiles(repo: Place, index: string, files: readonly string[]): void {
  const stamps = readStamps(recordOf(index));
  if (!stamps || files.length === 0) return;
  for (const file of files) {
    const stamp = stampOf(repo, file);
    if (stamp) stamps[file] = stamp;
  }
  writeStamps(recordOf(index), stamps);
}

/** Those of the user's files that are not what they were, with how. Empty when nothing was recorded for `index`. */
export function changedUserFiles(repo: Place, index: string): ReadonlyMap<string, 'changed' | 'removed'> {
  const changed = new Map<string, 'changed' | 'removed'>();
  for (const [file, stamp] of Object.entries(readStamps(recordOf(index)) ?? {})) {
    const now = stampOf(repo, file, stamp);
    if (!isSame(stamp, now)) changed.set(file, now ? 'changed' : 'removed');
  }
  return changed;
}

/** Records what they are as they are left to the user, while no session works. */
export function recordLeftUserFiles(repo: Place, index: string): void {
  const stamps = Object.entries(readStamps(recordOf(index)) ?? {});
  if (stamps.length === 0) return;
  const left = newStamps();
  for (const [file, stamp] of stamps) {
    const now = stampOf(repo, file, stamp);
    if (now) left[file] = now.stat === stamp.stat ? stamp : now;
  }
  writeStamps(leftOf(index), left);
}

/** What the user did to them since they were left holds from now on; what a session had done before does not. */
export function acceptUserFiles(repo: Place, index: string): void {
  const [stamps, left] = [recordOf(index), leftOf(index)].map(readStamps);
  if (!stamps || !left) return;
  const names = Object.keys(stamps).filter((file) => !isSame(left[file], stampOf(repo, file, left[file])));
  if (names.length === 0) return;
  for (const file of names) {
    const now = stampOf(repo, file);
    if (now) stamps[file] = now;
    else delete stamps[file];
  }
  writeStamps(recordOf(index), stamps);
}

function isSame(then: Stamp | undefined, now: Stamp | undefined): boolean {
  if (!then || !now) return then === now;
  return now.stat === then.stat || (now.hash !== undefined && now.hash === then.hash);
}

type Stamps = Record<string, Stamp>;

/** A file may have any name, `__proto__` too. */
function newStamps(): Stamps {
  return Object.create(null);
}

/** Undefined where nothing was recorded. */
function readStamps(file: string): Stamps | undefined {
  try {
    return Object.assign(newStamps(), JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function writeStamps(file: string, stamps: Stamps): void {
  writeFileAtomic(file, JSON.stringify(stamps), 0o600);
}

/** Undefined when it is not there. A content is only read when `known` has another size or time. */
function stampOf(repo: Place, file: string, known?: Stamp): Stamp | undefined {
  // A repository of its own is not looked into.
  if (file.endsWith('/')) return known;
  const where = pathOf(repo.root, rawOf(file));
  const found = statAt(repo.root, rawOf(file));
  if (!found) return undefined;
  const stat = `${found.size} ${found.mtimeMs} ${found.ino}`;
  if (stat === known?.stat || (known && known.hash === undefined)) return { stat };
  if (found.isSymbolicLink()) return { stat, hash: hashOf(readlinkSync(where, 'buffer')) };
  if (!found.isFile() || found.size > hashedBytes) return { stat };
  try {
    return { stat, hash: hashOf(readFileSync(where)) };
  } catch {
    return { stat };
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function recordOf(index: string): string {
  return `${index}.untracked.json`;
}

function leftOf(index: string): string {
  return `${index}.untracked.left.json`;
}
