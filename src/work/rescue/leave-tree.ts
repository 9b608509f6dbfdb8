// The work tree as it is left to a person: at a run's stop, and while it rests.
import { readHeadCommit } from '../../git/snapshot.ts';
import { leaveUserFiles } from '../../git/user-files.ts';
import type { Context } from '../../place/context.ts';
import { writePlainTree } from '../inspect/work-tree.ts';

/** The tree, the commit it stands on, and files that are there and in no tree, since they are not committed. */
export type LeftTree = Readonly<{ tree: string; head: string; refused: readonly string[] }>;

/** Writes the tree, and records what the person's own files are: what is other later is a person's doing. */
export async function leaveTree(ctx: Context): Promise<LeftTree> {
  const head = await readHeadCommit(ctx.repo);
  const { tree, refused } = await writePlainTree(ctx, head);
  leaveUserFiles(ctx.repo, ctx.index);
  return { tree, head, refused: refused.map(({ file }) => file) };
}
