// Tree T of the running task: what may go into it, written and journaled, and whether a session made it what it is.
import { judgeSecret } from '../../check/secret.ts';
import type { TreeRules } from '../../git/choose.ts';
import { isGuardIntact } from '../../git/guarded.ts';
import { withCopy } from '../../git/index-file.ts';
import type { Look } from '../../git/look.ts';
import type { Snapshot } from '../../git/snapshot.ts';
import { type WrittenTree, writeTree } from '../../git/tree.ts';
import type { Context } from '../../place/context.ts';
import { stateOf, type Work } from '../work.ts';

/** What writing a tree needs to know of a run. */
type TreeContext = Pick<Context, 'repo' | 'config' | 'index' | 'state'>;

/** What may go into tree T. */
export function rulesOf(ctx: TreeContext): TreeRules {
  const state = ctx.state();
  return {
    userUntracked: new Set(state.started.untracked),
    leftOut: new Set(state.leftOut),
    allow: ctx.config.commit.allow,
    include: ctx.config.commit.include,
    maxFileMb: ctx.config.commit.maxFileMb,
  };
}

/** Writes the working tree as a tree, its files told against another; journals nothing. `look`: one that still holds. */
export function writePlainTree(ctx: TreeContext, against: string, look?: Look): Promise<WrittenTree> {
  const rules = rulesOf(ctx);
  return writeTree(ctx.repo, ctx.index, { against, rules, secret: judgeSecret, ...(look ? { look } : {}) });
}

/** The tree as it is beside a working agent, told to nobody; undefined when git would obey what the agent changed. */
export async function peekAtTree(
  ctx: TreeContext,
  before: Snapshot,
  against: string,
): Promise<string | undefined> {
  if (!isGuardIntact(ctx.repo, before.guarded)) return undefined;
  const written = await withCopy(ctx.index, 'peek', (index) => writePlainTree({ ...ctx, index }, against));
  return written.tree;
}

/** Writes tree T and tells the journal. What only checks or a person changed is not a session's work. */
export async function writeWorkTree(
  ctx: Context,
  work: Work,
  by: 'session' | 'check' | 'person',
  look?: Look,
): Promise<WrittenTree> {
  const written = await ctx.hands.writePlainTree(ctx, work.start.tree, look);
  const task = work.task.id;
  for (const refused of written.refused) ctx.emit({ type: 'file-refused', task, ...refused });
  const { untouched, tree: last = work.start.tree } = stateOf(ctx, work.task);
  ctx.emit({
    type: 'tree-written',
    task,
    tree: written.tree,
    files: written.files.length,
    insertions: sum(written.files.map((file) => file.insertions)),
    deletions: sum(written.files.map((file) => file.deletions)),
    by,
    untouched: untouched.includes(written.tree) || (by !== 'session' && untouched.includes(last)),
  });
  return written;
}

/** True when a session changed the tree since the task's first start. */
export function isChanged(ctx: Context, work: Work, tree: string): boolean {
  return !stateOf(ctx, work.task).untouched.includes(tree);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
