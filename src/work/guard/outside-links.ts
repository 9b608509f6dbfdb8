// Links of the work that lead out of the tree: a check on this machine sees what lies there, and no commit holds it.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { readEntry } from '../../git/tree/entry.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import type { Work } from '../work.ts';

/** One sentence for each that is there and leads to something, but for devices and what the task names itself. */
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
    if (end === undefined || isAtOrBelow(end, realpathSync(root)) || isAtOrBelow(end, '/dev')) return [];
    return [`${file} leads out of the repository, to ${entry.target}: no commit has what lies there`];
  });
}

function endOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
