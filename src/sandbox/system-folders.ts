// The top-level folders a bubblewrap sandbox shares read-only with this system: programs, libraries, settings. Of the
// settings only what any user may read: a worker that is root would else show keys and passwords.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';
import type { SystemFolder } from './bwrap-args.ts';

const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/nix/store'];

/** Those that exist: no home, no data, nothing that is mounted. `/nix/store` holds all programs of some systems. */
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
