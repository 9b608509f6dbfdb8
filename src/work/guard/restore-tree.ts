// Takes some files of the working tree back to how a tree has them.
import { restoreTree } from '../../git/rescue/rescue.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { rescueOptions } from '../rescue/rescue-point.ts';

/** A file, and git's status letter for its change. */
export type Change = Readonly<{ file: string; how: string }>;

/** The differences between two trees, apart from the plan. */
export async function changesBetween(place: Place, from: string, to: string): Promise<readonly Change[]> {
  const args = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to];
  const fields = splitNul(await place.repo.bytes(args)).map(nameOf);
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    changes.push({ how: fields[at] ?? '', file: fields[at + 1] ?? '' });
  return changes.filter(({ file }) => file !== place.plan.name);
}

/** Makes files match a tree; `stay`: other files that differ from it. `exact`: the rescue point from that time. */
export async function putFilesBack(
  place: Place,
  given: Readonly<{
    tree: string;
    exact: string;
    rescue: string;
    theirs: readonly Change[];
    stay: ReadonlySet<string>;
  }>,
): Promise<void> {
  const { theirs, stay, ...back } = given;
  const made = new Set(theirs.filter(({ how }) => how === 'A').map(({ file }) => file));
  const untracked = (await listUntracked(place.repo)).filter((file) => !made.has(file));
  await restoreTree(place.repo, {
    ...back,
    index: rescueOptions(place).index,
    keep: new Set([...untracked, ...stay]),
    stay: new Set([place.plan.name, ...stay]),
  });
}
