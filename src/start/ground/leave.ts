// Ends a run with its own ground: removes that if the run is done, else keeps and names it.
import { isAtOrBelow } from '../../below.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { changeRefs } from '../../git/run/head.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { type CliContext, printNote } from '../context.ts';
import { openPlainRepo } from '../open-place.ts';
import { listGroundFolders, whyItStays } from './list.ts';
import type { MadeGround } from './make-own.ts';
import { formatSaved, type Removed, removeGround } from './remove.ts';

/** `context`: where the person is. */
export async function leaveGround(
  context: CliContext,
  { path: root, from }: OwnWorktree,
  state: RunState,
): Promise<void> {
  const done = isFinished(state) && state.ended?.exit === 0;
  if (!done) return printNote(context, `Its checkout stays for the next start: ${root}`);
  const isInside = isAtOrBelow(context.cwd, root);
  const end = isInside ? { why: 'you are in it' } : await removeOwn(context, root, from);
  if (end.why !== undefined) return printNote(context, `Its checkout stays, ${end.why}: ${root}`);
  printNote(context, `Its checkout was removed; the work is on branch ${state.started.branch}.`);
  if (end.saved !== undefined) printNote(context, formatSaved(end.saved));
}

/** After a failed start: keeps a ground that a run knows, else removes it with its new branch. */
export async function giveGroundUp(
  context: CliContext,
  { path: root, from }: OwnWorktree,
  newBranch: MadeGround['newBranch'],
): Promise<void> {
  const { why } = await removeOwn(context, root, from, newBranch);
  if (why !== undefined) printNote(context, `Its checkout stays, ${why}: ${root}`);
}

async function removeOwn(
  context: CliContext,
  root: string,
  from: string,
  newBranch?: MadeGround['newBranch'],
): Promise<Removed> {
  const repo = await openPlainRepo(context, { root: from });
  const ground = listGroundFolders(context, repo.home).find((each) => each.root === root);
  if (!ground) return { why: 'it is not where pawl makes them' };
  const why = whyItStays(repo.home, ground);
  if (why !== undefined) return { why };
  const end = await removeGround(repo, ground);
  if (end.why === undefined && newBranch) {
    const { branch, base } = newBranch;
    await changeRefs(repo, `drop branch ${branch}`, [
      { ref: `refs/heads/${branch}`, now: undefined, old: base },
    ]);
  }
  return end;
}
