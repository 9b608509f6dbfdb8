// Finds links in the work that lead out of the tree: checks on this machine can read their targets, but no commit holds
// them.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { readEntry } from '../../git/tree/entry.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import type { Work } from '../work.ts';

/** One sentence for each such link whose target exists, except devices and what the task itself names. */
export function findOutsideLinks(
  { repo: { root } }: Readonly<{ repo: Pick<Place['repo'], 'root'> }>,
  { task }: Pick<Work, 'task'>,
  files: readonly ChangedFile[],
): readonly string[] {
  const words = wordsOf(task);
  return files.flatMap(({ file, status }) => {
    const entry = status === 'deleted' ? undefined : readEntry(path.join(root, file));
    if (entry?.kind !== 'link' || words.includes(entry.target)) return [];
    const end = endOf(path.join(root, file));
    if (end === undefined || isInTree(end, realpathSync(root)) || isAtOrBelow(end, '/dev')) return [];
    return [`${file} leads out of the repository, to ${entry.target}: no commit has what lies there`];
  });
}

/** A git folder is in no commit, wherever it lies. */
function isInTree(end: string, root: string): boolean {
  return isAtOrBelow(end, root) && !path.relative(root, end).split(path.sep).includes('.git');
}

function endOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
