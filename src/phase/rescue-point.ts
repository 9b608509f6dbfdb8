// Rescue points of a run: saved before anything is taken back, so that nothing of the user's is destroyed.
import type { PutBackOptions } from '../git/absorb.ts';
import { restoreTree, saveRescue } from '../git/rescue.ts';
import { restoreRescue } from '../git/rescue-list.ts';
import type { Context } from './phase.ts';
import type { Work } from './work.ts';

/** Saves a rescue point and tells the journal; returns its commit. */
export async function takeRescue(ctx: Context, reason: string): Promise<string> {
  const saved = await saveRescue(ctx.repo, { run: ctx.run.id, reason, ...rescueOptions(ctx) });
  ctx.emit({ type: 'rescue-saved', reason, ...saved, notHeld: [...saved.notHeld] });
  return saved.oid;
}

/** Takes the working tree back to the task's start; everything it held is in the rescue whose commit is returned. */
export async function restoreStart(ctx: Context, work: Pick<Work, 'start'>, reason: string): Promise<string> {
  const rescue = await takeRescue(ctx, reason);
  await restoreTree(ctx.repo, { tree: work.start.tree, index: ctx.index, rescue, keep: keptFiles(ctx) });
  return rescue;
}

/** Puts the files of a rescue point back into the working tree; what stands there now is a point of its own first. */
export async function restorePoint(ctx: Context, point: string): Promise<void> {
  await restoreRescue(ctx.repo, { run: ctx.run.id, point, ...rescueOptions(ctx) });
}

/** How what an agent did to git is put back: a rescue first, then `tree`, by default that of the snapshot's HEAD. */
export function putBackOptions(ctx: Context, tree?: string): PutBackOptions {
  return {
    run: ctx.run.id,
    branch: ctx.state().started.branch,
    rescue: rescueOptions(ctx),
    keep: keptFiles(ctx),
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

/** Untracked files that no restore removes: the user's own, and what checks made. */
function keptFiles(ctx: Context): ReadonlySet<string> {
  return new Set([...ctx.state().started.untracked, ...ctx.state().checkMade]);
}
