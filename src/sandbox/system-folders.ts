// The top-level folders a bubblewrap sandbox shares read-only with this system: programs, libraries, settings.
import { lstatSync, readlinkSync } from 'node:fs';
import type { SystemFolder } from './bwrap-args.ts';

/** Those that exist: no home, no data, nothing that is mounted. `/nix/store` holds all programs of some systems. */
export function findSystemFolders(): readonly SystemFolder[] {
  return ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc', '/nix/store'].flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return [];
    return [found.isSymbolicLink() ? { path, link: readlinkSync(path) } : { path }];
  });
}
