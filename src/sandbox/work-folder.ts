// Which folder a program's sandbox is made for: the run's working tree, or the checkout the program works in.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';

/** `root` for what works there or below; else the nearest folder above that is a working tree; `cwd` itself where none is. */
export function workFolderOf(root: string, cwd: string): string {
  if (isAtOrBelow(cwd, root)) return root;
  for (let folder = cwd; folder !== path.dirname(folder); folder = path.dirname(folder))
    if (existsSync(path.join(folder, '.git'))) return folder;
  return cwd;
}
