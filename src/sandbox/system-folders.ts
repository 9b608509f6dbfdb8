// The top-level folders a bubblewrap sandbox shares read-only with this system. Of settings only what any user may
// read, or a root worker would show keys and passwords.

import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { orElse } from '../or-else.ts';
import type { SystemFolder } from './bwrap-args.ts';

const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/nix/store'];

/** Those that exist: no home, no data, nothing mounted. Some systems have all programs in `/nix/store`. */
export function findSystemFolders(): readonly SystemFolder[] {
  return folders.flatMap((folder): SystemFolder[] => {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (!found) return [];
    if (found.isSymbolicLink()) return [{ path: folder, link: readlinkSync(folder) }];
    return [folder === '/etc' ? { path: folder, hidden: findPrivate(folder) } : { path: folder }];
  });
}

export function findPrivate(folder: string): NonNullable<SystemFolder['hidden']> {
  return orElse(() => readdirSync(folder, { withFileTypes: true }), []).flatMap((entry) => {
    const whole = path.join(folder, entry.name);
    const stat = lstatSync(whole, { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return [];
    const isFolder = stat.isDirectory();
    const needed = isFolder ? 0o005 : 0o004;
    if ((stat.mode & needed) !== needed) return [{ path: whole, isFolder }];
    return isFolder ? findPrivate(whole) : [];
  });
}

/** The one of `trees` that holds `cwd`; else the nearest working tree above; else `cwd`. */
export function workFolderOf(trees: readonly string[], cwd: string): string {
  const own = trees.find((tree) => isAtOrBelow(cwd, tree));
  if (own !== undefined) return own;
  for (let folder = cwd; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, '.git'))) return folder;
  return cwd;
}
