// Which repository a ground belongs to. Loads nothing else, since a shell's prompt waits for it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file in a ground's git folder that names the person's. */
export const homeMark = 'pawl-home';

/** Undefined if the tree is no ground. */
export function readHome(gitDir: string): string | undefined {
  const file = path.join(gitDir, homeMark);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
