// A task's first start: its checks are run once, what they name is noted, a rescue point is saved, and the start is journaled.

import type { Task } from '../plan/plan.ts';
import type { Context } from './phase.ts';
import { takeRescue } from './rescue-point.ts';
import { runChecks } from './run-checks.ts';
import type { Truth } from './truth.ts';
import { checksOf, ownChecksOf, readDefinitions, stateOf, type Work } from './work.ts';
import { writePlainTree } from './work-tree.ts';

/** The task in work: begun now, or as it was begun before a restart. */
export async function beginTask(ctx: Context, truth: Truth, task: Task): Promise<Work> {
  const known = stateOf(ctx, task).start;
  if (known) return { task, truth, start: known };
  const definitions = readDefinitions(ctx, checksOf(ctx, truth, task));
  const rescue = await takeRescue(ctx, `before task ${task.id}`);
  const runs = await runChecks(ctx, ownChecksOf(truth, task), { when: 'before', task });
  const commit = (await ctx.repo.git(['rev-parse', 'HEAD'])).trim();
  const { tree } = await writePlainTree(ctx, commit);
  ctx.emit({
    type: 'task-started',
    task: task.id,
    title: task.title,
    commit,
    tree,
    rescue,
    vacuous: runs.filter((run) => run.result === 'green').map((run) => run.check.id),
    red: runs.filter((run) => run.result !== 'green').map((run) => run.check.id),
    definitions: [...definitions],
  });
  const begun = stateOf(ctx, task).start;
  if (!begun) throw new Error(`the start of task ${task.id} is not in the journal`);
  return { task, truth, start: begun };
}
