// A task's first start: its checks are run once, what they name is noted, a rescue point is saved, and the start is journaled.

import { judgeSecret } from '../check/secret.ts';
import type { PutBackOptions } from '../git/absorb.ts';
import { saveRescue } from '../git/rescue.ts';
import { writeTree } from '../git/tree.ts';
import type { Task } from '../plan/plan.ts';
import type { Context } from './phase.ts';
import { runChecks } from './run-checks.ts';
import type { Truth } from './truth.ts';
import { checksOf, readDefinitions, stateOf, type Work } from './work.ts';

/** The task in work: begun now, or as it was begun before a restart. */
export async function beginTask(ctx: Context, truth: Truth, task: Task): Promise<Work> {
  const known = stateOf(ctx, task).start;
  if (known) return { task, truth, start: known };
  const definitions = readDefinitions(ctx, checksOf(ctx, truth, task), task);
  const rescue = await takeRescue(ctx, `before task ${task.id}`);
  const runs = await runChecks(
    ctx,
    task.checks.filter((check) => !check.atEnd),
    { when: 'before', task },
  );
  const commit = (await ctx.repo.git(['rev-parse', 'HEAD'])).trim();
  const { tree } = await writeTree(ctx.repo, ctx.index, {
    against: commit,
    rules: rulesOf(ctx),
    secret: judgeSecret,
  });
  const start = {
    type: 'task-started',
    task: task.id,
    title: task.title,
    commit,
    tree,
    rescue,
    vacuous: runs.filter((run) => run.result === 'green').map((run) => run.check.id),
    red: runs.filter((run) => run.result !== 'green').map((run) => run.check.id),
    definitions: definitions.map(({ file, key, digest, text }) => ({
      file,
      digest,
      text,
      ...(key === undefined ? {} : { key }),
    })),
  } as const;
  ctx.emit({
    ...start,
    vacuous: [...start.vacuous],
    red: [...start.red],
    definitions: [...start.definitions],
  });
  const begun = stateOf(ctx, task).start;
  if (!begun) throw new Error(`the start of task ${task.id} is not in the journal`);
  return { task, truth, start: begun };
}

/** Saves a rescue point and tells the journal; returns its commit. */
export async function takeRescue(ctx: Context, reason: string): Promise<string> {
  const { oid, ref, notHeld } = await saveRescue(ctx.repo, {
    run: ctx.run.id,
    reason,
    ...rescueOptions(ctx),
  });
  ctx.emit({ type: 'rescue-saved', reason, oid, ref, notHeld: [...notHeld] });
  return oid;
}

/** How a restore after an agent's git acts is made safe: a rescue first, then back to the tree its session began with. */
export function putBackOptions(ctx: Context, tree?: string): PutBackOptions {
  const { branch, untracked } = ctx.state().started;
  return {
    run: ctx.run.id,
    branch,
    rescue: rescueOptions(ctx),
    keep: new Set([...untracked, ...ctx.state().checkMade]),
    ...(tree === undefined ? {} : { tree }),
  };
}

function rescueOptions(ctx: Context) {
  return {
    index: `${ctx.index}.rescue`,
    include: ctx.config.rescue.include,
    maxFileMb: ctx.config.rescue.maxFileMb,
  };
}

/** What may go into tree T. */
export function rulesOf(ctx: Context) {
  const state = ctx.state();
  return {
    userUntracked: new Set(state.started.untracked),
    checkMade: new Set(state.checkMade),
    allow: ctx.config.commit.allow,
    include: ctx.config.commit.include,
    maxFileMb: ctx.config.commit.maxFileMb,
  };
}
