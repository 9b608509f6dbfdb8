// Fingerprints of the user's untracked files, from when the run started or the user last changed them, so that changes by
// an agent are noticed. Kept in small files beside the index.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { pathOf, rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from './entry.ts';

/** Larger files are fingerprinted by size and time alone; in bytes. */
const hashedBytes = 1_000_000;

/** `size mtime` and, for a small file, a hash of its content. */
type Stamp = Readonly<{ stat: string; hash?: string }>;

type Place = Pick<Repo, 'root'>;

/** Records the user's untracked files for `index`, replacing an earlier record. Call it before the first session. */
export function stampUserFiles(repo: Place, index: string, files: Iterable<string>): void {
  const stamps = newStamps();
  for (const file of files) {
    const stamp = stampOf(repo, file);
    if (stamp) stamps[file] = stamp;
  }
  makeFolder(path.dirname(index));
  writeStamps(recordOf(index), stamps);
}

/** Records some of them again: same content, new time. */
export function restampUserFiles(repo: Place, index: string, files: readonly string[]): void {
  const stamps = readStamps(recordOf(index));
  if (!stamps || files.length === 0) return;
  for (const file of files) {
    const stamp = stampOf(repo, file);
    if (stamp) stamps[file] = stamp;
  }
  writeStamps(recordOf(index), stamps);
}

/** The user's files that have changed, and how. Empty if nothing was recorded for `index`. */
export function changedUserFiles(repo: Place, index: string): ReadonlyMap<string, 'changed' | 'removed'> {
  const changed = new Map<string, 'changed' | 'removed'>();
  for (const [file, stamp] of Object.entries(readStamps(recordOf(index)) ?? {})) {
    const now = stampOf(repo, file, stamp);
    if (!isSame(stamp, now)) changed.set(file, now ? 'changed' : 'removed');
  }
  return changed;
}

/** Records them as they are left to the user, while no session works. */
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

/** Accepts what the user did to them since then; what a session had done before is not accepted. */
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

/** Without a prototype: a file may have any name, even `__proto__`. */
function newStamps(): Stamps {
  return Object.create(null);
}

/** Undefined if nothing was recorded. */
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

/** Undefined if it does not exist. Its content is read only if size or time differ from `known`. */
function stampOf(repo: Place, file: string, known?: Stamp): Stamp | undefined {
  // A nested repository is not looked into.
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
