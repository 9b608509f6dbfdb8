// Runs one plan where it is to work (where it was started, or in a ground of its own) and cleans up that place afterwards.

import { defined } from '../defined.ts';
import type { CliContext } from './context.ts';
import { driveRun } from './drive-run.ts';
import { type Entered, enterGround } from './ground/enter.ts';
import { giveGroundUp, leaveGround } from './ground/leave.ts';
import { homeRepoOf } from './open-place.ts';
import { prepareRun } from './prepare-run.ts';
import type { RunFlags } from './run-options.ts';
import type { RunPlan } from './run-plan.ts';
import type { FinishedRun } from './work-run.ts';

export async function runOne(
  context: CliContext,
  given: string | undefined,
  options: RunFlags,
): Promise<FinishedRun> {
  return runEntered(context, await enterGround(context, given, options));
}

/** The same, in an existing place; `context`: that of where the person is. */
export async function runEntered(context: CliContext, entered: Entered): Promise<FinishedRun> {
  const { reserved, worktree } = entered;
  try {
    const prepared = await prepareRun(entered.context, entered.given, entered.options);
    const ended = await driveRun(entered.context, inTree(prepared, entered), {
      options: entered.options,
      onOpen: () => reserved?.[Symbol.dispose](),
    });
    if (worktree) await leaveGround(context, worktree, ended.state);
    return ended;
  } catch (error) {
    reserved?.[Symbol.dispose]();
    if (worktree && reserved) await giveGroundUp(context, worktree, entered.newBranch);
    throw error;
  }
}

function inTree(prepared: RunPlan, { worktree, newBranch }: Entered): RunPlan {
  if (!worktree) return prepared;
  const { request } = prepared;
  const made = defined({ newBranch, home: homeRepoOf(request.base.repo, worktree.from) });
  return { ...prepared, request: { ...request, ...made, about: { ...request.about, worktree } } };
}
