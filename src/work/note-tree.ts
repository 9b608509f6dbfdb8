// Writes tree T, and journals it, refused files, and whose work it is.

import { countChanges } from '../git/tree/raw-diff.ts';
import type { WrittenTree } from '../git/tree/tree.ts';
import type { WorkPlace } from './landing.ts';
import type { Known } from './tree/work-tree.ts';
import { writeTreeAgainst } from './tree/work-tree.ts';
import { stateOf, type Work } from './work.ts';

export async function writeWorkTree(
  place: WorkPlace,
  work: Work,
  by: 'session' | 'check' | 'person',
  known?: Known,
): Promise<WrittenTree> {
  const written = await writeTreeAgainst(place, work.start.tree, known);
  const task = work.task.id;
  const { untouched, tree: last = work.start.tree } = stateOf(place, work.task);
  place.run.emit({
    type: 'tree-written',
    task,
    tree: written.tree,
    ...countChanges(written.files),
    by,
    untouched: untouched.includes(written.tree) || (by !== 'session' && untouched.includes(last)),
  });
  for (const refused of written.refused) place.run.emit({ type: 'file-refused', task, ...refused });
  return written;
}
