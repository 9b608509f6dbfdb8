// Where a repository's runs, locks and grounds are.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Name of the journal's file in a run folder. */
export const journalFile = 'journal.ndjson';

export function runsFolder(commonDir: string): string {
  return path.join(commonDir, 'pawl', 'runs');
}

/** The lock of a working tree, by its git folder. */
export function lockFile(gitDir: string): string {
  return path.join(gitDir, 'pawl', 'lock');
}

/** Folder in which the grounds of a repository's runs are registered. */
export function groundsFolder(home: string): string {
  return path.join(home, 'pawl', 'grounds');
}

/** Name of the file in a ground's registration that says where its working tree is. */
export const groundRootFile = 'root';

/** The working tree of a registered ground; undefined if it is not known yet. */
export function groundRoot(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, groundRootFile), 'utf8');
  } catch {
    return undefined;
  }
}

/** The git folders of a repository's other working trees: linked ones, and grounds of pawl's own. */
export function otherGitDirs(commonDir: string): readonly string[] {
  const linked = foldersIn(path.join(commonDir, 'worktrees'));
  const grounds = foldersIn(groundsFolder(commonDir)).flatMap((folder) => groundRoot(folder) ?? []);
  return [...linked, ...grounds.map((root) => path.join(root, '.git'))];
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}
