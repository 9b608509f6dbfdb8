// Files that a merge driver of the work's own .gitattributes merged (`merge=union`, `merge=ours`, …): git calls that no
// conflict, though both sides changed the same lines.
import path from 'node:path';
import { changedNames } from '../../git/tree/changes.ts';
import type { Place } from '../../place/place.ts';

/** One sentence for each of them. Must be asked before the lane becomes the merged tree: git reads attributes from there. */
export async function findOwnMerges(
  { repo }: Pick<Place, 'repo'>,
  { from, head, work }: Readonly<{ from: string; head: string; work: string }>,
): Promise<readonly string[]> {
  const mine = await changedNames(repo, from, work);
  if (!mine.some((file) => path.posix.basename(file) === '.gitattributes')) return [];
  const theirs = new Set(await changedNames(repo, from, head));
  const both = mine.filter((file) => theirs.has(file));
  if (both.length === 0) return [];
  const printed = await repo.git(['check-attr', '-z', 'merge', '--', ...both]);
  const fields = printed.split('\0');
  return both.flatMap((file, at) => {
    const value = fields[at * 3 + 2] ?? 'unspecified';
    if (['unspecified', 'set', 'unset', 'text', 'binary'].includes(value)) return [];
    return [`${file} was merged by merge=${value}, which the work itself has set in .gitattributes`];
  });
}
