// What the user's untracked files were when a run started, so that a change by an agent shows. Kept in one small file
// beside the index; contents are only fingerprinted.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../disk.ts';
import { writeFileAtomic } from '../write-file.ts';
import { pathOf, rawOf } from './names.ts';
import type { Repo } from './repo.ts';
import { statAt } from './stat-at.ts';

/** Files above it are known by size and time alone; in bytes. */
const hashedBytes = 1_000_000;

/** `size mtime` and, of a small file, a hash of its content. */
type Stamp = Readonly<{ stat: string; hash?: string }>;

/** Records what the user's untracked files are now, for `index`; a later record replaces it. Call it before the first session. */
export function stampUserFiles(repo: Pick<Repo, 'root'>, index: string, files: Iterable<string>): void {
  const stamps: Record<string, Stamp> = Object.create(null);
  for (const file of files) {
    const stamp = stampOf(repo, file);
    if (stamp) stamps[file] = stamp;
  }
  makeFolder(path.dirname(index));
  writeFileAtomic(stampFile(index), JSON.stringify(stamps), 0o600);
}

/** Those of the user's files that are not what they were, with how. Empty when nothing was recorded for `index`. */
export function changedUserFiles(
  repo: Pick<Repo, 'root'>,
  index: string,
): ReadonlyMap<string, 'changed' | 'removed'> {
  const changed = new Map<string, 'changed' | 'removed'>();
  for (const [file, stamp] of Object.entries(readStamps(index))) {
    const now = stampOf(repo, file, stamp);
    if (!now) changed.set(file, 'removed');
    else if (now.stat !== stamp.stat && (now.hash === undefined || now.hash !== stamp.hash))
      changed.set(file, 'changed');
  }
  return changed;
}

function readStamps(index: string): Readonly<Record<string, Stamp>> {
  try {
    return JSON.parse(readFileSync(stampFile(index), 'utf8'));
  } catch {
    return {};
  }
}

/** Undefined when it is not there. A content is only read when `known` has another size or time. */
function stampOf(repo: Pick<Repo, 'root'>, file: string, known?: Stamp): Stamp | undefined {
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

function stampFile(index: string): string {
  return `${index}.untracked.json`;
}
