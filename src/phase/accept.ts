// What a person changed between two sessions: exactly what a stop left is taken up again, anything beyond is named, and
// nothing a person did counts as a session's work.
import { Failure } from '../failure.ts';
import { readHeadCommit } from '../git/snapshot.ts';
import { changedFiles } from '../git/tree.ts';
import type { Context } from './phase.ts';
import type { Truth } from './truth.ts';
import { stateOf } from './work.ts';
import { writePlainTree, writeWorkTree } from './work-tree.ts';

const mostNames = 12;

/** Compares the tree with the one the last stop left. What a person committed since is theirs to decide; other changes are taken only with `takeEdits`. */
export async function acceptTree(ctx: Context): Promise<void> {
  const left = ctx.options.leftTree;
  if (left === undefined) return;
  const { tree } = await writePlainTree(ctx, left);
  if (tree === left) return;
  const changed = (await namesBetween(ctx, left, tree)).filter((file) => file !== ctx.plan.name);
  const names = await withoutCommitted(ctx, changed, tree);
  if (names.length < changed.length)
    ctx.emit({ type: 'intervention', kind: 'hand-edit', text: 'commits were made or taken away by hand' });
  if (names.length === 0) return;
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const list = `${names.slice(0, mostNames).join(', ')}${more}`;
  if (!ctx.options.takeEdits) {
    throw new Failure('preflight', `files changed since the run stopped: ${list}`, {
      hint: 'Commit or stash them, or take them into the open task with `pawl run --take-edits`.',
    });
  }
  ctx.emit({ type: 'intervention', kind: 'hand-edit', text: `taken into the open task: ${list}` });
}

/** Without the files that are as HEAD has them now, if HEAD is another than at the stop. */
async function withoutCommitted(
  ctx: Context,
  files: readonly string[],
  tree: string,
): Promise<readonly string[]> {
  const head = await readHeadCommit(ctx.repo);
  if (files.length === 0 || ctx.options.leftHead === undefined || head === ctx.options.leftHead) return files;
  const dirty = new Set(await namesBetween(ctx, head, tree));
  return files.filter((file) => dirty.has(file));
}

async function namesBetween(ctx: Context, from: string, to: string): Promise<readonly string[]> {
  return (await changedFiles(ctx.repo, from, to)).map(({ file }) => file);
}

/** Notes the tree as a person's for every task that was begun and is open, so that it is no session's work. */
export async function noteTreeOfPerson(ctx: Context, truth: Truth): Promise<void> {
  for (const task of truth.plan.tasks) {
    const { standing, start } = stateOf(ctx, task);
    if (standing === 'open' && start) await writeWorkTree(ctx, { task, truth, start }, 'person');
  }
}
