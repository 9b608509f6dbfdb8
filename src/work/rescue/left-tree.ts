// The work tree as it is left to a person, at a stop or during a pause.
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { writeTreeNow } from '../tree/work-tree.ts';

/** The tree, the commit it is based on, and existing files that are in no tree because they are not committed. */
export type LeftTree = Readonly<{ tree: string; head: string; refused: readonly string[] }>;

/** Writes the tree: later differences are a person's doing. */
export async function recordLeftTree(place: Place): Promise<LeftTree> {
  const { tree, refused, look } = await writeTreeNow(place);
  return { tree, head: look.head.commit ?? '', refused: refused.map(({ file }) => file) };
}

export type Left = Pick<FactOf<'run-ended'>, 'tree' | 'head' | 'refused' | 'difference' | 'uncommitted'>;

/** What the stop before this start had left. */
export function leftBefore({ leftTree, leftHead, leftRefused }: Run['options']): Left {
  if (leftTree === undefined) return {};
  return {
    tree: leftTree,
    ...defined({
      head: leftHead,
      refused: leftRefused && [...leftRefused],
    }),
  };
}
