// Rescue points of a run: saved before anything is taken back, so that nothing of the user's is destroyed.
import type { PutBackOptions } from '../../git/act.ts';
import { writeMissingOf } from '../../git/exact.ts';
import type { Look } from '../../git/look.ts';
import { replayRescue } from '../../git/replay.ts';
import { restoreTree, saveRescue } from '../../git/rescue.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import { branchesBeside } from '../../journal/beside.ts';
import { findWorkState } from '../../journal/state.ts';
import type { Context } from '../../place/context.ts';
import { writePlainTree } from '../inspect/work-tree.ts';
import type { Work } from '../work.ts';

/** Saves a rescue point and tells the journal; returns its commit. `look`: one with ignored files, made with the run's index, that still holds. `task`: its work is about to be taken out of the tree. */
export async function takeRescue(
  ctx: Context,
  reason: string,
  { look, task }: Readonly<{ look?: Look; task?: string }> = {},
): Promise<string> {
  const saved = await saveRescue(ctx.repo, {
    run: ctx.run.id,
    reason,
    ...rescueOptions(ctx),
    ...(look ? { seen: { index: ctx.index, look } } : {}),
  });
  const whose = task === undefined ? {} : { task };
  ctx.emit({ type: 'rescue-saved', ...whose, reason, ...saved, notHeld: [...saved.notHeld] });
  return saved.oid;
}

/** Takes the working tree but the plan, which is no task's work, back to the task's start, or to HEAD where that went on since, and a person's files that are gone with it; returns the rescue that holds all it held, also where a kill came between and most of it is gone. */
export async function restoreStart(ctx: Context, work: Pick<Work, 'start'>, reason: string): Promise<string> {
  const { task } = work.start;
  const rescue = await takeRescue(ctx, reason, { task });
  const head = await readHeadCommit(ctx.repo);
  const tree = head === work.start.commit ? work.start.tree : head;
  const exact = work.start.rescue;
  await restoreTree(ctx.repo, {
    tree,
    index: ctx.index,
    rescue,
    exact,
    keep: keptFiles(ctx),
    stay: planOf(ctx),
  });
  // What was a person's and is gone is missed by every task after this one.
  await writeMissingOf(ctx.repo, { point: exact, files: new Set(ctx.state().started.untracked) });
  return findWorkState(ctx.state(), task)?.beingTakenOut ?? rescue;
}

/** Makes the working tree that of a commit or tree where it is another, with a rescue of what it was; true when it was. `tell` is called with the rescue before anything changes. */
export async function bringTreeTo(
  ctx: Context,
  treeish: string,
  { reason, tell }: Readonly<{ reason: string; tell?: (rescue: string) => void }>,
): Promise<boolean> {
  const tree = (await ctx.repo.git(['rev-parse', `${treeish}^{tree}`])).trim();
  if ((await writePlainTree(ctx, tree)).tree === tree) return false;
  const rescue = await takeRescue(ctx, reason);
  tell?.(rescue);
  await restoreTree(ctx.repo, { tree, index: ctx.index, rescue, keep: keptFiles(ctx) });
  return true;
}

/** Brings what a rescue point changed back into the working tree; returns the files that others changed meanwhile, which stay as they are. `withPlan`: the plan went away with it. */
export async function replayPoint(
  ctx: Context,
  point: string,
  { withPlan = false }: Readonly<{ withPlan?: boolean }> = {},
): Promise<readonly string[]> {
  const stay = withPlan ? new Set<string>() : planOf(ctx);
  const options = { run: ctx.run.id, point, work: ctx.index, keep: keptFiles(ctx), stay };
  const { left } = await replayRescue(ctx.repo, { ...options, ...rescueOptions(ctx) });
  return left;
}

/** How what an agent did to git is put back: a rescue first, then `tree`, by default that of the snapshot's HEAD. */
export function putBackOptions(ctx: Context, tree?: string): PutBackOptions {
  return {
    run: ctx.run.id,
    branch: ctx.state().started.branch,
    beside: () => branchesBeside(ctx.repo.commonDir, ctx.run.id, new Date(ctx.state().started.at)),
    rescue: rescueOptions(ctx),
    keep: keptFiles(ctx),
    isStrange: ctx.sandbox !== undefined,
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

/** The plan as it is now is the truth, a person's edit that nobody has committed yet included. */
function planOf({ plan }: Context): ReadonlySet<string> {
  return new Set(plan.tracked ? [plan.name] : []);
}

/** Untracked files that no restore removes: the user's own, and those that are no work. */
function keptFiles(ctx: Context): ReadonlySet<string> {
  return new Set([...ctx.state().started.untracked, ...ctx.state().leftOut]);
}
