// What a person changed between two sessions: exactly what a stop left is taken up again, anything beyond is named, and
// nothing a person did counts as a session's work.

import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { changedFiles } from '../../git/changes.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import type { Context } from '../phase.ts';
import { findWork, isOver } from '../review/fix.ts';
import { writePlainTree, writeWorkTree } from '../task/work-tree.ts';
import type { Truth } from '../truth.ts';
import { type Edits, takeDefinitionsOf } from './take-definitions.ts';

/** Tree and HEAD as they were left to a person. */
type Left = Readonly<{ tree: string; head: string | undefined }>;

const mostNames = 12;

/** Compares the tree with the one the last stop left. What a person committed or put back since is theirs to decide; other changes are taken only with `takeEdits`. */
export async function acceptTree(ctx: Context): Promise<Edits | undefined> {
  const { leftTree, leftHead } = ctx.options;
  if (leftTree === undefined) return undefined;
  const edits = await findEdits(ctx, { tree: leftTree, head: leftHead });
  const list = edits && (await nameUncommitted(ctx, edits, leftHead));
  if (list === undefined) return edits;
  if (!ctx.options.takeEdits) {
    const take = commandAgain(ctx.state(), '--take-edits ');
    throw new Failure('preflight', `files changed since the run stopped: ${list}`, {
      hint: `Commit or stash them, or take them into the open task with \`${take}\`.`,
    });
  }
  ctx.emit({ type: 'intervention', kind: 'hand-edit', text: `taken into the open task: ${list}` });
  return edits;
}

/** Takes what a person changed while the run rested into the open task, and says so; what it was, the plan included. */
export async function takeEditsOfRest(ctx: Context, left: Left): Promise<Edits | undefined> {
  const edits = await findEdits(ctx, left);
  const list = edits && (await nameUncommitted(ctx, edits, left.head));
  if (list !== undefined)
    ctx.emit({
      type: 'intervention',
      kind: 'hand-edit',
      text: `changed while paused, and taken into the open task: ${list}`,
    });
  return edits;
}

/** What differs from the tree that was left; undefined when nothing does. */
async function findEdits(ctx: Context, left: Left): Promise<Edits | undefined> {
  const { tree } = await writePlainTree(ctx, left.tree);
  if (tree === left.tree) return undefined;
  return { from: left.tree, to: tree, files: await namesBetween(ctx, left.tree, tree) };
}

/** Names of the files but the plan that a person changed and that differ from HEAD; undefined when there are none. What is as HEAD has it, be it committed or put back, is only told. */
async function nameUncommitted(
  ctx: Context,
  edits: Edits,
  head: string | undefined,
): Promise<string | undefined> {
  const changed = edits.files.filter((file) => file !== ctx.plan.name);
  if (changed.length === 0) return undefined;
  const now = await readHeadCommit(ctx.repo);
  const dirty = new Set(await namesBetween(ctx, now, edits.to));
  const [names, asCommitted] = [true, false].map((is) => changed.filter((file) => dirty.has(file) === is));
  if (asCommitted?.length) {
    const text =
      head === undefined || head === now
        ? `put back to the last commit by hand: ${listNames(asCommitted)}`
        : 'commits were made or taken away by hand';
    ctx.emit({ type: 'intervention', kind: 'hand-edit', text });
  }
  return names?.length ? listNames(names) : undefined;
}

function listNames(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}

async function namesBetween(ctx: Context, from: string, to: string): Promise<readonly string[]> {
  return (await changedFiles(ctx.repo, from, to)).map(({ file }) => file);
}

/** Notes the tree as a person's for every task that was begun and is open, so that it is no session's work; and what the edits changed of what its checks name, so that it holds. */
export async function noteTreeOfPerson(ctx: Context, truth: Truth, edits?: Edits): Promise<void> {
  const { tasks, fixes } = ctx.state();
  for (const { id, standing } of [...tasks.values(), ...fixes.values()]) {
    const work = standing === 'open' ? findWork(ctx, truth, id) : undefined;
    if (!work || isOver(ctx, work)) continue;
    if (edits) await takeDefinitionsOf(ctx, work, edits);
    await writeWorkTree(ctx, work, 'person');
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
