// Ends a run with a worktree of its own: removes the tree if nothing is left in it, otherwise keeps and names it. Also
// removes what a failed start created.
import { isAtOrBelow } from '../../below.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { asFailure } from '../../failure.ts';
import { dropNewBranch } from '../../git/place/worktree.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { type CliContext, printNote } from '../context.ts';
import { openPlainRepo } from '../open-place.ts';
import type { MadeTree } from './make.ts';
import { formatSaved, judgeSlot, listTreeRuns, type Reclaimed, reclaim } from './reclaim.ts';
import { listSlots } from './slot.ts';

/** After a run's end. `context`: that of where the person is. */
export async function leaveWorktree(
  context: CliContext,
  { path: tree }: OwnWorktree,
  state: RunState,
): Promise<void> {
  const done = isFinished(state) && state.ended?.exit === 0;
  if (!done) return printNote(context, `The working tree stays for the next start: ${tree}`);
  const isInside = isAtOrBelow(context.cwd, tree);
  const end = isInside ? { why: 'you are in it' } : await removeOwn(context, tree);
  if (end.why !== undefined) return printNote(context, `The working tree stays, ${end.why}: ${tree}`);
  printNote(context, `Its working tree was removed; the work is on branch ${state.started.branch}.`);
  if (end.saved !== undefined) printNote(context, formatSaved(end.saved));
}

/** After a failed start: removes the tree unless a run knows it, and with it the branch that was made for it. */
export async function giveTreeUp(
  context: CliContext,
  { path: tree }: OwnWorktree,
  newBranch: MadeTree['newBranch'],
): Promise<void> {
  const { why } = await removeOwn(context, tree, newBranch);
  if (why !== undefined) printNote(context, `The working tree stays, ${why}: ${tree}`);
}

/** Problems here are reported: the run's own end is what counts. */
async function removeOwn(
  context: CliContext,
  tree: string,
  newBranch?: MadeTree['newBranch'],
): Promise<Reclaimed> {
  try {
    const repo = await openPlainRepo(context, { root: context.cwd });
    const slot = listSlots(context.folders.state, repo.commonDir).find((each) => each.tree === tree);
    if (!slot) return { why: 'it is not where pawl makes them' };
    const runs = listTreeRuns(repo.commonDir);
    const own = runs.find(({ worktree }) => worktree.path === tree);
    const stays = judgeSlot(slot, runs);
    if (stays !== undefined) return { why: stays };
    const end = await reclaim(context, repo, { slot, from: own?.worktree.from ?? repo.root, own });
    if (end.why === undefined && newBranch) await dropNewBranch(repo, newBranch);
    return end;
  } catch (error) {
    const failure = asFailure(error);
    if (failure) return { why: failure.message };
    throw error;
  }
}
