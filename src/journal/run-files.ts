// Where a repository's runs, locks and grounds are.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const journalFile = 'journal.ndjson';

export function runsFolder(commonDir: string): string {
  return path.join(commonDir, 'pawl', 'runs');
}

export function lockFile(gitDir: string): string {
  return path.join(gitDir, 'pawl', 'lock');
}

export function groundsFolder(home: string): string {
  return path.join(home, 'pawl', 'grounds');
}

/** In a ground's registration: names its working tree. */
export const groundRootFile = 'root';

/** Undefined if not known yet. */
export function groundRoot(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, groundRootFile), 'utf8');
  } catch {
    return undefined;
  }
}

/** Of linked working trees, and of pawl's grounds. */
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
