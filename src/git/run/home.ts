// Which repository a ground of pawl's own belongs to: a file in its git folder names it. Loads nothing else, since a shell's
// prompt waits for it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file in the git folder of a ground; it names the git folder of the person's repository. */
export const homeMark = 'pawl-home';

/** The git folder in which a ground's runs are recorded; undefined if the tree is no ground. */
export function readHome(gitDir: string): string | undefined {
  const file = path.join(gitDir, homeMark);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
