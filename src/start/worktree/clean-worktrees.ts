// `pawl clean` for the worktrees of runs: lists each with its size, and removes it if its run is over and everything in it
// is stored elsewhere.
import { defined } from '../../defined.ts';
import type { Repo } from '../../git/run/repo.ts';
import { formatBytes } from '../../report/text/figure.ts';
import { type CliContext, print } from '../context.ts';
import { sizeOf } from '../size.ts';
import { isOfLostRepository, removeLost } from './lost-repository.ts';
import { formatSaved, judgeSlot, listTreeRuns, type Reclaimed, reclaim, whyStays } from './reclaim.ts';
import { freeSlot, listSlots, type Slot } from './slot.ts';

/** Lists and removes them; returns true if there was any to remove. */
export async function cleanWorktrees(context: CliContext, repo: Repo, dryRun: boolean): Promise<boolean> {
  const runs = listTreeRuns(repo.commonDir);
  let removed = false;
  for (const slot of listSlots(context.folders.state, repo.commonDir)) {
    const { tree } = slot;
    if (tree === undefined) {
      if (!slot.maker && !dryRun) freeSlot(slot.folder);
      continue;
    }
    const own = runs.find(({ worktree }) => worktree.path === tree);
    const from = own?.worktree.from ?? repo.root;
    const size = formatBytes(sizeOf(tree));
    if (isOfLostRepository(tree)) {
      removed = (await cleanGone(context, repo, { slot: { ...slot, tree }, dryRun, size })) || removed;
      continue;
    }
    const stays = judgeSlot(slot, runs);
    const end =
      stays !== undefined
        ? { why: stays }
        : await tidy(context, repo, { slot: { ...slot, tree }, from, own, dryRun });
    const of = own === undefined ? 'of a failed start' : `of run ${own.run}`;
    removed ||= end.why === undefined;
    if (end.why === undefined) {
      print(context, `${dryRun ? 'would remove' : 'removed'}  ${tree}  (${size}, ${of})`);
      if (end.saved !== undefined) print(context, formatSaved(end.saved));
    } else print(context, `kept  ${tree}  (${size}, ${of}): ${end.why}`);
  }
  return removed;
}

async function tidy(
  context: CliContext,
  repo: Repo,
  {
    slot,
    from,
    own,
    dryRun,
  }: Parameters<typeof reclaim>[2] & Readonly<{ slot: { tree: string }; dryRun: boolean }>,
): Promise<Reclaimed> {
  if (!dryRun) return reclaim(context, repo, { slot, from, own });
  const why = await whyStays(context, repo, { tree: slot.tree, from });
  return defined({ why });
}

/** True if it was removed, or would be. */
async function cleanGone(
  context: CliContext,
  repo: Repo,
  { slot, dryRun, size }: Readonly<{ slot: Slot & { tree: string }; dryRun: boolean; size: string }>,
): Promise<boolean> {
  const { tree, maker } = slot;
  const of = 'of a repository that is gone';
  if (maker) {
    print(context, `kept  ${tree}  (${size}, ${of}): pawl (process ${maker.pid}) is making it`);
    return false;
  }
  if (dryRun) {
    print(context, `would remove  ${tree}  (${size}, ${of}; its files are saved first)`);
    return true;
  }
  const end = await removeLost(repo, slot);
  const isGone = 'ref' in end;
  if (isGone)
    print(context, `removed  ${tree}  (${size}, ${of}; its files: git worktree add ../saved ${end.ref})`);
  else print(context, `kept  ${tree}  (${size}, ${of}): ${end.why}`);
  return isGone;
}
