// Reads a file of a working tree without leaving it: an agent may have linked to what it cannot read itself.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';

/** Larger is not text anybody wrote; sparse files of any size are made in no time. */
const mostBytes = 16 * 1024 * 1024;

/** `file`: absolute, or relative to `root`, a real path. Undefined if there is no regular file, or links lead out. */
export function readInside(root: string, file: string): string | undefined {
  const isInside = (where: string) => where.startsWith(root + path.sep);
  const whole = path.resolve(root, file);
  if (!isInside(whole)) return undefined;
  let fd: number | undefined;
  try {
    const real = realpathSync(whole);
    if (!isInside(real)) return undefined;
    fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = fstatSync(fd);
    // The path still resolves to itself, so what was opened is what is there.
    if (!opened.isFile() || opened.size > mostBytes || realpathSync(real) !== real) return undefined;
    const there = statSync(real);
    return opened.ino === there.ino && opened.dev === there.dev ? readFileSync(fd, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export function readOutside(root: string, file: string, home: string | undefined): string | undefined {
  if (!file.startsWith('~/')) return readAbove(root, file);
  const folder = orElse(() => (home ? realpathSync(home) : undefined), undefined);
  return folder === undefined ? undefined : readInside(folder, file.slice(2));
}

/** By a name such as `../../.npmrc`. */
function readAbove(root: string, file: string): string | undefined {
  const ups = file.split('/').filter((part) => part === '..').length;
  if (ups >= root.split(path.sep).length) return undefined;
  const folder = path.resolve(root, '../'.repeat(ups));
  // The root folder has no name to be inside of.
  return folder === path.sep ? undefined : readInside(folder, path.resolve(root, file));
}
