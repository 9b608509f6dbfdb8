// The size of a folder in bytes. Follows no links.

import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';

/** Bytes of all files below a folder; unreadable ones do not count. */
export function sizeOf(folder: string): number {
  return readNames(folder).reduce((sum, name) => {
    const stat = lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (!stat) return sum;
    return sum + (stat.isDirectory() ? sizeOf(path.join(folder, name)) : stat.size);
  }, 0);
}

/** Names in a folder; none if it cannot be read. */
export function readNames(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []);
}
