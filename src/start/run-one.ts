// Runs one plan where it is to work (where it was started, or in a worktree of its own) and cleans up that place
// afterwards.

import { defined } from '../defined.ts';
import type { CliContext } from './context.ts';
import { driveRun } from './drive-run.ts';
import { type Prepared, prepareRun } from './prepare-run.ts';
import type { RunOptions } from './run-options.ts';
import type { Ended } from './work-run.ts';
import { type Entered, enterWorktree } from './worktree/enter.ts';
import { giveTreeUp, leaveWorktree } from './worktree/leave.ts';

/** How one plan is run. `base`: commit of a new worktree, by default HEAD. */
export type OneRun = Readonly<{
  options: RunOptions;
  base?: string;
}>;

/** Runs it to its end. */
export async function runOne(
  context: CliContext,
  given: string | undefined,
  { options, base }: OneRun,
): Promise<Ended> {
  const entered = await enterWorktree(context, given, options, base);
  return runEntered(context, entered);
}

/** The same, in an existing place; `context`: that of where the person is. */
export async function runEntered(context: CliContext, entered: Entered): Promise<Ended> {
  const { slot, worktree } = entered;
  try {
    const prepared = await prepareRun(entered.context, entered.given, entered.options);
    const ended = await driveRun(entered.context, inTree(prepared, entered), {
      options: entered.options,
      onOpen: () => slot?.[Symbol.dispose](),
    });
    if (worktree) await leaveWorktree(context, worktree, ended.state);
    return ended;
  } catch (error) {
    slot?.[Symbol.dispose]();
    if (worktree && slot) await giveTreeUp(context, worktree, entered.newBranch);
    throw error;
  }
}

function inTree<P extends Pick<Prepared, 'request'>>(prepared: P, { worktree, newBranch }: Entered): P {
  if (!worktree) return prepared;
  const { request } = prepared;
  const made = defined({ newBranch });
  const about = { ...request.about, worktree };
  return { ...prepared, request: { ...request, ...made, about } };
}
