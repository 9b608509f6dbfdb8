// Where git keeps a working tree, found without git.
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../../or-else.ts';

/** Real; undefined if `root` is none. Throws if the git folder is gone. */
export function gitFolderOf(root: string): string | undefined {
  const dotGit = path.join(root, '.git');
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) return realpathSync(dotGit);
  // In a linked tree or submodule, the file names the git folder.
  const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  return target === undefined ? undefined : realpathSync(path.resolve(root, target.trim()));
}

/** Of a linked tree's git folder, the repository's. */
export function commonFolderOf(gitDir: string): string {
  const read = () => readFileSync(path.join(gitDir, 'commondir'), 'utf8').trim();
  return orElse(() => realpathSync(path.resolve(gitDir, read())), gitDir);
}
