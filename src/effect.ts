// The one door of durable effects: every journal append, git command and file change passes here with a label, so
// that tests can number them and stop the program at each. In production the door just calls.
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { asFailure } from './failure.ts';

export type EffectKind = 'journal' | 'git' | 'file';

/** One durable effect that is about to happen; `number` counts from 1 within the process. */
export type EffectPoint = Readonly<{ number: number; kind: EffectKind; label: string }>;

/** Does the act of an effect, and whatever it wants before and after. */
export type Around = <T>(point: EffectPoint, act: () => T) => T;

let count = 0;
let around: Around = (_, act) => act();

/** Sets what surrounds each effect. Meant for fault injection; there is one per process. */
export function surroundEffects(by: Around): void {
  around = by;
}

/** Sets who is told before each effect, in place of any other. */
export function observeEffects(observer: (point: EffectPoint) => void): void {
  surroundEffects((point, act) => {
    observer(point);
    return act();
  });
}

/** Does one durable effect. */
export function effect<T>(kind: EffectKind, label: string, act: () => T): T {
  count += 1;
  return around({ number: count, kind, label }, act);
}

const draftFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Replaces a file whole: a draft beside it, synced, renamed over it, the folder synced. Never follows a symlink at `file`. */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o644): void {
  replaceFile(file, content, { mode, isSynced: true });
}

/** Replaces a file whole, as `writeFileAtomic`, but waits for no disk: for what nothing reads back after the power fails. */
export function writeFileUnsynced(file: string, content: string, mode = 0o644): void {
  replaceFile(file, content, { mode, isSynced: false });
}

function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode, isSynced }: Readonly<{ mode: number; isSynced: boolean }>,
): void {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  writeByDraft(file, content, { draft, mode, isSynced, flags: draftFlags });
}

/** Puts a file in place by way of a draft of that name; where one stands already it is an EEXIST error, and nothing has changed. It waits for no disk, as git does not. */
export function placeFile(file: string, content: Uint8Array, options: PlaceOptions): void {
  writeByDraft(file, content, { ...options, isSynced: false, flags: 'wx' });
}

function writeByDraft(
  file: string,
  content: string | Uint8Array,
  { draft, mode, isSynced, flags }: PlaceOptions & Readonly<{ isSynced: boolean; flags: number | string }>,
): void {
  effect('file', `write ${path.basename(file)}`, () => {
    const fd = openSync(draft, flags, mode);
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

/** `draft`: in the same file system. */
type PlaceOptions = Readonly<{ draft: string; mode: number }>;

/** Removes drafts of `writeFileAtomic` that a kill left in a folder, of one file or of all. Nobody else may write there. */
export function removeDrafts(folder: string, name?: string): void {
  for (const found of listNames(folder)) {
    const [, of] = /^\.(.+)\.\d+\.tmp$/.exec(found) ?? [];
    if (of !== undefined && (name ?? of) === of) removeFile(path.join(folder, found));
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Creates a file that must not exist yet; an existing one is an EEXIST error. */
export function createFile(file: string, content: string | Uint8Array, mode = 0o600): void {
  effect('file', `create ${path.basename(file)}`, () => {
    const fd = openSync(file, 'wx', mode);
    writeWhole(fd, content, { file, isSynced: true });
  });
}

/** Makes a folder and its parents; an existing one is fine. */
export function makeFolder(folder: string, mode = 0o755): void {
  effect('file', `folder ${path.basename(folder)}`, () => makeFolders(folder, mode));
}

/** Makes one folder; false when something stands there: of several that try at once, one has it. */
export function createFolder(folder: string, mode = 0o755): boolean {
  try {
    effect('file', `folder ${path.basename(folder)}`, () => mkdirSync(folder, { mode }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Level by level: Node's own `recursive` (24.21) calls a read-only file system a missing folder, and below /proc never returns. */
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

/** Another pawl may make the same one in the same moment. */
function makeOneFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Renames a file or folder within one file system. `isSynced`: waits for the disk, default true. */
export function moveFile(from: string, to: string, { isSynced = true } = {}): void {
  effect('file', `move ${path.basename(from)}`, () => {
    renameSync(from, to);
    if (isSynced) syncFolder(path.dirname(to));
  });
}

/** Copies one file over another: its content, its mode, and the second of its last change. `isNew`: onto an existing one it is an EEXIST error. */
export function copyFile(from: string, to: string, { isNew = false } = {}): void {
  effect('file', `copy ${path.basename(to)}`, () => {
    // Taken first, and rounded down: a time too early is harmless to who asks whether something is newer.
    const changed = Math.floor(statSync(from).mtimeMs / 1000);
    copyFileSync(from, to, isNew ? constants.COPYFILE_EXCL : 0);
    utimesSync(to, changed, changed);
  });
}

/** Makes a symlink where nothing stands. */
export function makeLink(target: string, file: string): void {
  effect('file', `link ${path.basename(file)}`, () => symlinkSync(target, file));
}

/** Sets a file's permissions, whatever the umask. */
export function setMode(file: string, mode: number): void {
  effect('file', `mode of ${path.basename(file)}`, () => chmodSync(file, mode));
}

/** Removes a folder if nothing is in it; true when it is gone. */
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

/** Removes one file; a missing one is fine. */
export function removeFile(file: string | Buffer): void {
  effect('file', `remove ${path.basename(file.toString())}`, () => {
    try {
      unlinkSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  });
}

/** Removes a folder that pawl made itself, with all in it. */
export function removeOwnFolder(folder: string): void {
  effect('file', `remove ${path.basename(folder)}/`, () => rmSync(folder, { recursive: true, force: true }));
}

/** Writes, syncs where asked to, and closes. A write knows only its number: the error is given the file's name. */
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

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
