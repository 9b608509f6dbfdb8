// Creates, moves and removes files and folders, each a durable effect.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { effect } from './effect.ts';

/** With its parents; an existing one is fine. */
export function makeFolder(folder: string, mode = 0o755): void {
  effect('file', `folder ${path.basename(folder)}`, () => makeFolders(folder, mode));
}

/** False if something is already there: exactly one of several concurrent callers succeeds. */
export function createFolder(folder: string, mode = 0o755): boolean {
  try {
    effect('file', `folder ${path.basename(folder)}`, () => mkdirSync(folder, { mode }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Level by level: Node's own `recursive` (24.21) reports a read-only file system as a missing folder, and never
 * returns below /proc.
 */
function makeFolders(folder: string, mode: number): void {
  try {
    makeOneFolder(folder, mode);
  } catch (error) {
    const parent = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error;
    makeFolders(parent, mode);
    makeOneFolder(folder, mode);
  }
}

/** Another pawl may make it at the same moment. */
function makeOneFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Within one file system. `isSynced`: waits for the disk; default true. */
export function moveFile(from: string, to: string, { isSynced = true } = {}): void {
  effect('file', `move ${path.basename(from)}`, () => {
    renameSync(from, to);
    if (isSynced) syncFolder(path.dirname(to));
  });
}

/** Copies content, mode, and modification time, rounded down to the second. */
export function copyFile(from: string, to: string): void {
  effect('file', `copy ${path.basename(to)}`, () => {
    // Before the copy and rounded down: a time too early does no harm to "is it newer?" checks.
    const changed = Math.floor(statSync(from).mtimeMs / 1000);
    copyFileSync(from, to);
    utimesSync(to, changed, changed);
  });
}

export function makeLink(target: string, file: string): void {
  effect('file', `link ${path.basename(file)}`, () => symlinkSync(target, file));
}

/** Regardless of the umask. */
export function setMode(file: string, mode: number): void {
  effect('file', `mode of ${path.basename(file)}`, () => chmodSync(file, mode));
}

/** True when it is gone. */
export function removeEmptyFolder(folder: string | Buffer): boolean {
  return effect('file', `remove ${path.basename(folder.toString())}/`, () => {
    try {
      rmdirSync(folder);
      return true;
    } catch {
      return false;
    }
  });
}

/** A missing one is fine. */
export function removeFile(file: string | Buffer): void {
  effect('file', `remove ${path.basename(file.toString())}`, () => {
    try {
      unlinkSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  });
}

/** Only for a folder that pawl itself made. */
export function removeOwnFolder(folder: string): void {
  effect('file', `remove ${path.basename(folder)}/`, () => rmSync(folder, { recursive: true, force: true }));
}

/** As `removeOwnFolder`, for folders that may be large. */
export async function removeInPieces(folder: string): Promise<void> {
  await effect('file', `remove ${path.basename(folder)}/`, () =>
    rm(folder, { recursive: true, force: true }),
  );
}

/** Waits until all made, moved or removed in it is on disk. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
