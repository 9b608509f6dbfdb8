// What a person changed between two sessions: exactly what a stop left is taken up again, anything beyond is named, and
// nothing a person did counts as a session's work.
import { Failure } from '../failure.ts';
import { changedFiles } from '../git/changes.ts';
import { readHeadCommit } from '../git/snapshot.ts';
import { findWork, isOver } from './fix.ts';
import type { Context } from './phase.ts';
import type { Truth } from './truth.ts';
import { writePlainTree, writeWorkTree } from './work-tree.ts';

/** Tree and HEAD as they were left to a person. */
type Left = Readonly<{ tree: string; head: string | undefined }>;

const mostNames = 12;

/** Compares the tree with the one the last stop left. What a person committed since is theirs to decide; other changes are taken only with `takeEdits`. */
export async function acceptTree(ctx: Context): Promise<void> {
  const { leftTree, leftHead } = ctx.options;
  if (leftTree === undefined) return;
  const list = await findEdits(ctx, { tree: leftTree, head: leftHead });
  if (list === undefined) return;
  if (!ctx.options.takeEdits) {
    throw new Failure('preflight', `files changed since the run stopped: ${list}`, {
      hint: 'Commit or stash them, or take them into the open task with `pawl run --take-edits`.',
    });
  }
  ctx.emit({ type: 'intervention', kind: 'hand-edit', text: `taken into the open task: ${list}` });
}

/** Takes what a person changed while the run rested into the open task, and says so; true when there was something, the plan included. */
export async function takeEditsOfRest(ctx: Context, left: Left): Promise<boolean> {
  const list = await findEdits(ctx, left);
  if (list !== undefined)
    ctx.emit({
      type: 'intervention',
      kind: 'hand-edit',
      text: `changed while paused, and taken into the open task: ${list}`,
    });
  return (await writePlainTree(ctx, left.tree)).tree !== left.tree;
}

/** Names of the files but the plan that a person changed and did not commit; undefined when there are none. Commits are told. */
async function findEdits(ctx: Context, left: Left): Promise<string | undefined> {
  const { tree } = await writePlainTree(ctx, left.tree);
  if (tree === left.tree) return undefined;
  const changed = (await namesBetween(ctx, left.tree, tree)).filter((file) => file !== ctx.plan.name);
  const names = await withoutCommitted(ctx, changed, { tree, head: left.head });
  if (names.length < changed.length)
    ctx.emit({ type: 'intervention', kind: 'hand-edit', text: 'commits were made or taken away by hand' });
  if (names.length === 0) return undefined;
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

/** Without the files that are as HEAD has them now, if HEAD is another than at the stop. */
async function withoutCommitted(
  ctx: Context,
  files: readonly string[],
  left: Left,
): Promise<readonly string[]> {
  const head = await readHeadCommit(ctx.repo);
  if (files.length === 0 || left.head === undefined || head === left.head) return files;
  const dirty = new Set(await namesBetween(ctx, head, left.tree));
  return files.filter((file) => dirty.has(file));
}

async function namesBetween(ctx: Context, from: string, to: string): Promise<readonly string[]> {
  return (await changedFiles(ctx.repo, from, to)).map(({ file }) => file);
}

/** Notes the tree as a person's for every task that was begun and is open, so that it is no session's work. */
export async function noteTreeOfPerson(ctx: Context, truth: Truth): Promise<void> {
  const { tasks, fixes } = ctx.state();
  for (const { id, standing } of [...tasks.values(), ...fixes.values()]) {
    const work = standing === 'open' ? findWork(ctx, truth, id) : undefined;
    if (work && !isOver(ctx, work)) await writeWorkTree(ctx, work, 'person');
  }
}

/** Journals that a person ticked a task. */
export function tellTicked({ emit }: Context, task: string): void {
  emit({ type: 'task-closed-by-hand', task });
  emit({ type: 'intervention', kind: 'hand-edit', text: `task ${task} was ticked by hand` });
}

/** Journals that a person opened a task again. */
export function tellOpened({ emit }: Context, task: string): void {
  emit({ type: 'task-reopened', task, by: 'hand', detail: 'its boxes are open again' });
  emit({ type: 'intervention', kind: 'hand-edit', text: `task ${task} was opened again` });
}
