// Writes whole files through a temporary file and a rename; each is one durable effect.
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
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
  effect('file', `write ${path.basename(file)}`, () =>
    putWhole(file, content, { mode, isSynced, put: renameSync }),
  );
}

/** Written beside its place, into which `put` then brings it. */
function putWhole<Result>(
  file: string,
  content: string | Uint8Array,
  how: Readonly<{ mode: number; isSynced: boolean; put: (draft: string, file: string) => Result }>,
): Result {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  const fd = openSync(draft, draftFlags, how.mode);
  try {
    writeWhole(fd, content, { file, isSynced: how.isSynced });
    const result = how.put(draft, file);
    if (how.isSynced) syncFolder(path.dirname(file));
    return result;
  } catch (error) {
    // On a full disk every byte counts.
    rmSync(draft, { force: true });
    throw error;
  }
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
  return effect('file', `create ${path.basename(file)}`, () =>
    putWhole(file, content, { mode, isSynced: true, put: putNew }),
  );
}

function putNew(draft: string, file: string): boolean {
  try {
    return unlessThere(() => linkSync(draft, file));
  } catch {
    // Not every file system has hard links.
    return unlessThere(() => copyFileSync(draft, file, constants.COPYFILE_EXCL));
  } finally {
    rmSync(draft, { force: true });
  }
}

function unlessThere(create: () => void): boolean {
  try {
    create();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
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
