// The end of a run that had a working tree of its own: removed when nothing is left in it, kept otherwise and named. What
// a start that came to nothing has made goes too.
import type { OwnWorktree } from '../../event/run.ts';
import { asFailure } from '../../failure.ts';
import { dropNewBranch } from '../../git/place/worktree.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { type CliContext, printNote } from '../context.ts';
import { openPlainRepo } from '../open-place.ts';
import type { MadeTree } from './make.ts';
import { judgeSlot, listTreeRuns, reclaim } from './reclaim.ts';
import { listSlots } from './slot.ts';

/** After a run's end. `context`: of where the person is. */
export async function leaveWorktree(
  context: CliContext,
  { path: tree }: OwnWorktree,
  state: RunState,
): Promise<void> {
  const done = isFinished(state) && state.ended?.exit === 0;
  if (!done) return printNote(context, `The working tree stays for the next start: ${tree}`);
  const isInside = context.cwd === tree || context.cwd.startsWith(`${tree}/`);
  const why = isInside ? 'you are in it' : await removeOwn(context, tree);
  if (why === undefined)
    printNote(context, `Its working tree was removed; the work is on branch ${state.started.branch}.`);
  else printNote(context, `The working tree stays, ${why}: ${tree}`);
}

/** After a start that failed: the tree goes unless a run knows it, and with it the branch that was made for it. */
export async function giveTreeUp(
  context: CliContext,
  { path: tree }: OwnWorktree,
  newBranch: MadeTree['newBranch'],
): Promise<void> {
  const why = await removeOwn(context, tree, newBranch);
  if (why !== undefined) printNote(context, `The working tree stays, ${why}: ${tree}`);
}

/** What goes wrong here is said: the run's own end is what counts. */
async function removeOwn(
  context: CliContext,
  tree: string,
  newBranch?: MadeTree['newBranch'],
): Promise<string | undefined> {
  try {
    const repo = await openPlainRepo(context, { root: context.cwd });
    const slot = listSlots(context.folders.state, repo.commonDir).find((each) => each.tree === tree);
    if (!slot) return 'it is not where pawl makes them';
    const runs = listTreeRuns(repo.commonDir);
    const from = runs.find(({ worktree }) => worktree.path === tree)?.worktree.from ?? repo.root;
    const why = judgeSlot(slot, runs) ?? (await reclaim(context, repo, { slot, from }));
    if (why === undefined && newBranch) await dropNewBranch(repo, newBranch);
    return why;
  } catch (error) {
    const failure = asFailure(error);
    if (failure) return failure.message;
    throw error;
  }
}
