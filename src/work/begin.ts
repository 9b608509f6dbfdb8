// A task's start: its checks are run once, what they name is noted, a rescue point is saved, and the start is journaled.

import { lookAtTree } from '../git/look.ts';
import { readHeadCommit } from '../git/snapshot.ts';
import type { Context } from '../place/context.ts';
import type { Task } from '../plan/plan.ts';
import { isCutShort, runChecks } from './inspect/run-checks.ts';
import { writePlainTree } from './inspect/work-tree.ts';
import { checksBefore, findWork, isOver } from './kind/fix.ts';
import type { Truth } from './plan/plan-snapshot.ts';
import { restoreStart, takeRescue } from './rescue/rescue-point.ts';
import { checksOf, readDefinitions, stateOf, type Work } from './work.ts';

/** The task in work: begun now, or as it was begun before a restart. One whose work was taken away for others begins anew, on what they left. Undefined when the run was interrupted first: nothing is begun then. */
export async function beginTask(ctx: Context, truth: Truth, task: Task): Promise<Work | undefined> {
  const known = stateOf(ctx, task).takenAway ? undefined : findWork(ctx, truth, task.id);
  if (known) return known;
  if (ctx.signal.aborted) return undefined;
  await setOthersAside(ctx, task);
  const definitions = readDefinitions(ctx, checksOf(ctx, truth, task));
  const look = await lookAtTree(ctx.repo, ctx.index, { ignored: true });
  const rescue = await takeRescue(ctx, `before task ${task.id}`, { look });
  const own = checksBefore(ctx, truth, task);
  const { runs, after } = await runChecks(ctx, own, { when: 'before', task, look });
  if (isCutShort(ctx, own, runs)) return undefined;
  const commit = await readHeadCommit(ctx.repo);
  const { tree } = await writePlainTree(ctx, commit, after);
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
  const begun = findWork(ctx, truth, task.id);
  if (!begun) throw new Error(`the start of task ${task.id} is not in the journal`);
  return begun;
}

/** What another task left in the tree must not become part of this one: it is set aside, and comes back when that task goes on. What a review or finalizing left begins anew after it. */
async function setOthersAside(ctx: Context, task: Task): Promise<void> {
  await setBesidesAside(ctx, task);
  for (const other of ctx.state().tasks.values()) {
    const { id, standing, start, takenAway, tree, question = '', beingTakenOut } = other;
    if (id === task.id || !start || takenAway || tree === undefined || tree === start.tree) continue;
    if (standing !== 'parked' && standing !== 'open' && standing !== 'skipped') continue;
    if (beingTakenOut === undefined) {
      const [head = '', headTree = ''] = (await ctx.repo.git(['rev-parse', 'HEAD', 'HEAD^{tree}']))
        .trim()
        .split('\n');
      if ((await writePlainTree(ctx, head)).tree === headTree) return;
    }
    const rescue = await restoreStart(ctx, { start }, `task ${id} ${standing}`);
    if (standing === 'parked') ctx.emit({ type: 'task-parked', task: id, question, rescue });
    else if (standing === 'skipped') ctx.emit({ type: 'task-skipped', task: id, rescue });
    else ctx.emit({ type: 'work-set-aside', task: id, rescue });
  }
}

async function setBesidesAside(ctx: Context, task: Task): Promise<void> {
  const { tasks, fixes } = ctx.state();
  if (!tasks.has(task.id)) return;
  for (const fix of fixes.values()) {
    const { id, start, standing } = fix;
    if (start && standing === 'open' && !isOver(ctx, fix))
      await restoreStart(ctx, { start }, `${id} was not finished`);
  }
}
