// Where a repository's runs and locks are. Reads nothing.
import path from 'node:path';

/** Name of the journal's file in a run folder. */
export const journalFile = 'journal.ndjson';

/** Folder that holds all runs of a repository. */
export function runsFolder(commonDir: string): string {
  return path.join(commonDir, 'pawl', 'runs');
}

/** The lock of a working tree, by its git folder. */
export function lockFile(gitDir: string): string {
  return path.join(gitDir, 'pawl', 'lock');
}
