// Writes whole files through a temporary file and a rename; each is one durable effect.
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { removeFile, syncFolder } from './disk.ts';
import { effect } from './effect.ts';
import { asFailure } from './failure.ts';
import { orElse } from './or-else.ts';

const draftFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** On disk when it returns. Never follows a symlink at `file`. */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o644): void {
  replaceFile(file, content, { mode, isSynced: true });
}

/** Does not wait for the disk: for files that nothing reads back after a power failure. */
export function writeFileUnsynced(file: string, content: string | Uint8Array, mode = 0o644): void {
  replaceFile(file, content, { mode, isSynced: false });
}

function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode, isSynced }: Readonly<{ mode: number; isSynced: boolean }>,
): void {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  effect('file', `write ${path.basename(file)}`, () => {
    const fd = openSync(draft, draftFlags, mode);
    try {
      writeWhole(fd, content, { file, isSynced });
      renameSync(draft, file);
    } catch (error) {
      // On a full disk every byte counts.
      rmSync(draft, { force: true });
      throw error;
    }
    if (isSynced) syncFolder(path.dirname(file));
  });
}

/** Drafts that a kill left, of one file or of all. Nobody else may be writing there. */
export function removeDrafts(folder: string, name?: string): void {
  for (const found of orElse(() => readdirSync(folder), [])) {
    const [, of] = /^\.(.+)\.\d+\.tmp$/.exec(found) ?? [];
    if (of !== undefined && (name ?? of) === of) removeFile(path.join(folder, found));
  }
}

/** False if something is already there, which stays. */
export function createFile(file: string, content: string | Uint8Array, mode = 0o600): boolean {
  return effect('file', `create ${path.basename(file)}`, () => {
    const fd = openNew(file, mode);
    if (fd !== undefined) writeWhole(fd, content, { file, isSynced: true });
    return fd !== undefined;
  });
}

function openNew(file: string, mode: number): number | undefined {
  try {
    return openSync(file, 'wx', mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** Adds the file's name to errors, which know only a descriptor. */
function writeWhole(
  fd: number,
  content: string | Uint8Array,
  { file, isSynced }: Readonly<{ file: string; isSynced: boolean }>,
): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (isSynced) fsyncSync(fd);
  } catch (error) {
    throw asFailure(error, file) ?? error;
  } finally {
    closeSync(fd);
  }
}
