// A run that was stopped left the tree with a known hash: exactly that is taken up again; anything beyond is named.

import { judgeSecret } from '../check/secret.ts';
import { Failure } from '../failure.ts';
import { changedFiles, writeTree } from '../git/tree.ts';
import { rulesOf } from './begin.ts';
import type { Context } from './phase.ts';

const mostNames = 12;

/** Compares the tree with the one the last stop left. Other changes are taken only with `takeEdits`, as a person's. */
export async function acceptTree(ctx: Context): Promise<void> {
  const left = ctx.options.leftTree;
  if (left === undefined) return;
  const { tree } = await writeTree(ctx.repo, ctx.index, {
    against: left,
    rules: rulesOf(ctx),
    secret: judgeSecret,
  });
  if (tree === left) return;
  const names = (await changedFiles(ctx.repo, left, tree))
    .map(({ file }) => file)
    .filter((file) => file !== ctx.plan.name);
  if (names.length === 0) return;
  const list = `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ` and ${names.length - mostNames} more` : ''}`;
  if (!ctx.options.takeEdits) {
    throw new Failure('preflight', `files changed since the run stopped: ${list}`, {
      hint: 'Commit or stash them, or take them into the open task with `pawl run --take-edits`.',
    });
  }
  ctx.emit({ type: 'intervention', kind: 'hand-edit', text: `taken into the open task: ${list}` });
  for (const task of ctx.state().tasks.values()) {
    if (
      task.standing !== 'open' ||
      !task.start ||
      (task.tree !== undefined && !task.untouched.includes(task.tree))
    )
      continue;
    const numbers = { files: names.length, insertions: 0, deletions: 0 };
    ctx.emit({ type: 'tree-written', task: task.id, tree, ...numbers, by: 'person', untouched: true });
  }
}
