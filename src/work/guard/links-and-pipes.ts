// What no check can rightly read: links out of the tree, and named pipes, which block.

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { readEntry, statAt } from '../../git/tree/entry.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import type { PlacedCheck, Work } from '../work.ts';

/** One sentence per link whose target exists, except devices and what the task names. */
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

/** No commit has a git folder. */
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

/** Raw words of commands suffice: a pipe is hardly named by chance. */
export function findNamedPipes(root: string, checks: readonly PlacedCheck[]): readonly string[] {
  const names = checks.flatMap(({ command, cwd }) =>
    command
      .split(/[\s'"`;|&<>()=]+/)
      .filter((word) => word !== '')
      .map((word) => path.relative(root, path.resolve(root, cwd, word))),
  );
  const isPipe = (file: string): boolean => !file.startsWith('..') && (statAt(root, file)?.isFIFO() ?? false);
  return [...new Set(names)]
    .filter(isPipe)
    .map(
      (file) =>
        `${file} is a named pipe, which a check would wait for without end: make it a file, or remove it`,
    );
}
