// A file system entry, and restoring it by plain file writes, never through a symlink.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { makeFolder, makeLink, moveFile, removeFile, setMode } from '../../disk.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { foldersOf, pathOf, rawOf } from '../run/names.ts';

/** `other`: a socket, a device, something unreadable. */
export type Entry =
  | Readonly<{ kind: 'missing' | 'folder' | 'other' }>
  | Readonly<{ kind: 'file'; bytes: Buffer; mode: number }>
  | Readonly<{ kind: 'link'; target: string }>;

/** Follows no symlink there. */
export function readEntry(file: string | Buffer): Entry {
  try {
    const stat = lstatSync(file);
    if (stat.isFile()) return readOpened(file);
    if (stat.isSymbolicLink()) return { kind: 'link', target: readlinkSync(file) };
    return { kind: stat.isDirectory() ? 'folder' : 'other' };
  } catch (error) {
    return { kind: isMissing(error) ? 'missing' : 'other' };
  }
}

/** An agent may have replaced it: follows no link, waits for no pipe. */
function readOpened(file: string | Buffer): Entry {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { kind: 'other' };
    return { kind: 'file', bytes: readFileSync(fd), mode: stat.mode & 0o777 };
  } finally {
    closeSync(fd);
  }
}

export function isSameEntry(a: Entry, b: Entry): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.mode === b.mode && a.bytes.equals(b.bytes);
  if (a.kind === 'link') return b.kind === 'link' && a.target === b.target;
  return a.kind === b.kind;
}

/** Moves what is in its place to `aside`, except a symlink, and a file for a file. */
export function restoreEntry(file: string, before: Entry, aside: string): void {
  const now = readEntry(file);
  if (isSameEntry(before, now)) return;
  if (now.kind === 'link') removeFile(file);
  else if (now.kind !== 'missing' && (now.kind !== 'file' || before.kind !== 'file')) {
    makeFolder(path.dirname(aside));
    moveFile(file, aside);
  }
  if (before.kind === 'file') {
    writeFileAtomic(file, before.bytes, before.mode);
    setMode(file, before.mode);
  }
  if (before.kind === 'folder') makeFolder(file);
  if (before.kind === 'link') makeLink(before.target, file);
}

/** From `root` down to `folder`, so that no write below it goes elsewhere. */
export function restoreFolders(root: string, folder: string, aside: string): void {
  if (!isAtOrBelow(folder, root)) return;
  const parts = folder.slice(root.length + 1).split('/');
  parts.forEach((_, at) => {
    const each = path.join(root, ...parts.slice(0, at + 1));
    if (each !== root) restoreEntry(each, { kind: 'folder' }, `${aside}-${at}`);
  });
}

/** Relative names, sorted, at most `limit`; the folder's own files first. */
export function listFolder(folder: string, limit: number): readonly string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let at = 0; at < waiting.length && found.length < limit; at += 1) {
    const below = waiting[at] ?? '';
    for (const entry of readFolder(path.join(folder, below))) {
      const name = path.join(below, entry.name);
      if (!entry.isDirectory()) found.push(name);
      else if (entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(name);
    }
  }
  return found.slice(0, limit);
}

function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Undefined also if a folder in its path has become something else. Raw name. */
export function statAt(root: string, raw: string): Stats | undefined {
  try {
    return lstatSync(pathOf(root, raw), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Another one: somebody has written the file. Undefined if it is gone. Raw name. */
export function stampAt(root: string, raw: string): string | undefined {
  const stat = statAt(root, raw);
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

/** What is in the way: something else where its path has a folder, or a folder in its own place. Raw names. */
export function findBlocked(root: string, raw: string): string | undefined {
  const above = foldersOf(raw).find((folder) => !(statAt(root, folder)?.isDirectory() ?? true));
  return above ?? (statAt(root, raw)?.isDirectory() ? raw : undefined);
}

/** Its change time in ms, which no program can set; undefined if it is gone. */
export function changeTimeOf({ root }: Readonly<{ root: string }>, file: string): number | undefined {
  return lstatSync(pathOf(root, rawOf(file)), { throwIfNoEntry: false })?.ctimeMs;
}
