// Finds, reads and writes the plan file, never through a link put there later.
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { makeFolder, setMode } from '../disk.ts';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import { createFile, writeFileAtomic } from '../write-file.ts';
import { archiveFolder, nearestPlan, plansFolder } from './plan-name.ts';

/** Absolute with all links resolved, used for every later read and write. */
export function locatePlan(given: string, cwd: string): string {
  if (given.trim() === '') throw new Failure('usage', 'the name of a plan is empty');
  const wanted = path.resolve(cwd, given);
  let file: string;
  try {
    file = realpathSync(wanted);
  } catch (error) {
    throw notFound(given, { wanted, cwd }, error);
  }
  const stats = statSync(file);
  if (stats.isDirectory()) {
    throw new Failure('plan', `${given} is a folder, not a plan`, { hint: 'Name the markdown file in it.' });
  }
  if (!stats.isFile()) throw new Failure('plan', `${given} is not a regular file, so it cannot be a plan`);
  return file;
}

/** Keeps a byte order mark. Throws a Failure if it is not UTF-8. */
export function readPlanFile(file: string): string {
  const bytes = readRegular(file);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const hint = 'Editing would damage it; save the file as UTF-8.';
  throw new Failure('plan', `${file} is not UTF-8`, { hint });
}

/** Keeps the mode; throws a Failure if a link or other non-file is there. */
export function writePlanFile(file: string, text: string): void {
  const stats = lstatOf(file);
  if (stats && !stats.isFile()) {
    const what = stats.isSymbolicLink() ? 'a symlink' : 'no regular file';
    throw new Failure('plan', `${file} is now ${what}, so pawl does not write the plan`, {
      hint: 'Something replaced the plan while it was in use; put the file back and run again.',
    });
  }
  write(file, text, stats);
}

/** Of `pawl plan` and `pawl import`. False if something is there, which stays. */
export function writeNewPlan(file: string, text: string): boolean {
  makeFolder(path.dirname(file));
  return createFile(file, text, 0o644);
}

/** A link is replaced, not followed; a missing folder is made: git removes one with its last file. */
export function restorePlanFile(file: string, text: string): void {
  makeFolder(path.dirname(file));
  const stats = lstatOf(file);
  if (stats?.isDirectory()) {
    throw new Failure('plan', `${file} is now a folder, so the plan cannot be restored`, {
      hint: 'Move the folder away and run again; the plan is kept in the run folder.',
    });
  }
  write(file, text, stats?.isFile() ? stats : undefined);
}

/** A link in place of the folder would lead the write elsewhere. */
function write(file: string, text: string, stats: Stats | undefined): void {
  const folder = path.dirname(file);
  const says = `${folder} is no longer a folder, or leads elsewhere: the plan cannot be written`;
  const hint = 'Put the folder back in its place and run again; the plan is kept in the run folder.';
  if (orElse(() => realpathSync(folder), undefined) !== folder)
    throw new Failure('environment', says, { hint });
  const mode = stats && stats.mode & 0o777;
  writeFileAtomic(file, text, mode);
  // The umask narrows a new file's mode.
  if (mode !== undefined && (lstatSync(file).mode & 0o777) !== mode) setMode(file, mode);
}

const mostBytes = 1024 * 1024;

/** Without following a link or waiting for a pipe's other end. */
function readRegular(file: string): Buffer {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(file, error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile())
      throw new Failure('plan', `${file} is no longer a regular file`, { hint: restoreHint });
    if (stats.size > mostBytes)
      throw new Failure('plan', `${file} is too long for a plan: the limit is ${mostBytes >> 20} MB`, {
        hint: 'Split it into several plans; `pawl run` runs them one after another.',
      });
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function lstatOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): Failure {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = {
    ENOENT: 'no longer exists',
    ELOOP: 'is now a symlink; pawl does not read a plan through one',
  }[code ?? ''];
  if (why === undefined) return new Failure('plan', `${file} cannot be read: ${message}`, { cause });
  return new Failure('plan', `${file} ${why}`, { hint: restoreHint, cause });
}

const restoreHint =
  'Restore it (`git restore` brings back the committed version) and run the same command again.';

function notFound(
  given: string,
  { wanted, cwd }: Readonly<{ wanted: string; cwd: string }>,
  cause: unknown,
): Failure {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'EACCES') return new Failure('plan', `no permission to read ${given}`, { cause });
  if (lstatOf(wanted)) return new Failure('plan', `${given} is a broken symlink`, { cause });
  const archived = path.join(archiveFolder, path.basename(wanted));
  if (existsSync(path.join(path.dirname(wanted), archived))) {
    const there = path.join(path.dirname(given), archived);
    const sentence = `${given} is done, and has been moved to ${there}`;
    return new Failure('plan', sentence, {
      hint: 'To do some of it again, untick its boxes there, and name that file.',
      cause,
    });
  }
  const near = nearName(wanted, given.includes('/'));
  const hint = near
    ? `Did you mean ${path.relative(cwd, near)}?`
    : 'Name a markdown file by its path, or one in docs/plans/ by its name.';
  return new Failure('plan', `there is no plan ${given}`, { hint, cause });
}

/** Beside it; for a bare name, also in the nearest folder of plans. */
function nearName(wanted: string, isPath: boolean): string | undefined {
  const folder = path.dirname(wanted);
  const folders = [
    folder,
    ...(isPath ? [] : foldersAbove(folder).map((each) => path.join(each, plansFolder))),
  ];
  const files = folders.flatMap((each) =>
    orElse(() => readdirSync(each), []).map((name) => path.join(each, name)),
  );
  return nearestPlan(
    path.basename(wanted),
    files.filter((name) => /\.(?:md|markdown)$/i.test(name)),
  );
}

function foldersAbove(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}
