// Which folder a program's sandbox is made for: the run's working tree, a lane's, or the checkout the program works in.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';

/**
 * The one of the run's `trees` that `cwd` is in or below; else the nearest folder above that is a working tree; `cwd`
 * itself if none is.
 */
export function workFolderOf(trees: readonly string[], cwd: string): string {
  const own = trees.find((tree) => isAtOrBelow(cwd, tree));
  if (own !== undefined) return own;
  for (let folder = cwd; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, '.git'))) return folder;
  return cwd;
}
