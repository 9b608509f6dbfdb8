// Which files of this host a bubblewrap sandbox must mount so that a program can run in it.

import { realpathSync } from 'node:fs';
import { isAtOrBelow } from '../below.ts';
import { findProgram } from '../process/find-program.ts';
import { programFolder } from './bwrap-args.ts';
import type { Mount } from './docker-args.ts';

/** What must be seen for a program that lies where nothing is: itself, or, of a package, the packages it may need. */
export function seenOf(
  file: string,
  searchPath: string,
  seen: readonly string[],
): Readonly<{ mounts: readonly Mount[]; links: readonly (readonly [string, string])[] }> {
  const isName = !file.includes('/');
  const place = isName ? findProgram(file, searchPath) : file;
  if (place === undefined || isSeen(place, seen)) return { mounts: [], links: [] };
  const real = realpathSync(place);
  const at = real.indexOf('/node_modules/');
  const from = at < 0 ? real : real.slice(0, at + '/node_modules'.length);
  const mounts = isSeen(real, seen) ? [] : [{ from, to: from, readonly: true }];
  if (isName) return { mounts, links: [[real, `${programFolder}/${file}`]] };
  return { mounts, links: place === real ? [] : [[real, place]] };
}

function isSeen(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isAtOrBelow(file, folder));
}
