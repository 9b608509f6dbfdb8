// `pawl run`: prepares a run, drives it, and shows what happens. ../run.ts is the story itself.

import { Failure } from '../failure.ts';
import type { RunOptions as PhaseOptions } from '../place/run.ts';
import { printIfDone } from '../start/already-done.ts';
import { readStartWish } from '../start/await-start.ts';
import { askForPlan } from '../start/choose-plan.ts';
import { type CliContext, printNote } from '../start/context.ts';
import { driveRun, type Ended } from '../start/drive-run.ts';
import { refuseFlags } from '../start/flags.ts';
import { prepareInTime } from '../start/prepare-in-time.ts';
import { type Prepared, prepareRun } from '../start/prepare-run.ts';
import type { RunOptions } from '../start/run-options.ts';
import { type Entered, enterWorktree } from '../start/worktree/enter.ts';
import { giveTreeUp, leaveWorktree } from '../start/worktree/leave.ts';
import type { Command } from './command.ts';
import { describeRun } from './dry-run.ts';

/** Runs a plan, or several in turn. */
export const runPlan: Command<RunOptions> = async (context, named, options) => {
  refuseStageOfPlan(options);
  await refuseFlags(options);
  const plans = named.length > 0 ? named : [(await askForPlan(context)) ?? []].flat();
  readStartWish(context, options);
  const done = await printIfDone(context, plans, options);
  if (done !== undefined) return done;
  if (options.dryRun) return describeRuns(context, plans, options);
  if (plans.length > 1) {
    const { runQueue } = await import('../start/queue.ts');
    // The time is waited for once, before the first of them, and then nobody is there to be asked.
    const { startAt, startAfterReset, ...each } = options;
    const then = startAt === undefined && !startAfterReset ? context : { ...context, canAsk: false };
    return runQueue(context, plans, {
      options,
      runOne: (plan, queue) => runOne(then, plan, { options: each, queue }),
    });
  }
  return (await runOne(context, plans[0], { options })).exit;
};

/** `--review` stands without a value elsewhere, and then takes the plan for one. */
function refuseStageOfPlan({ review }: RunOptions): void {
  if (!review?.endsWith('.md')) return;
  throw new Failure('usage', `--review takes stage names, not a plan: ${review}`, {
    hint: `pawl run ${review} --review first,final, or, without its tasks: pawl review --plan ${review}`,
  });
}

/** Runs a plan where it is to work, and leaves that place as is due. */
async function runOne(
  context: CliContext,
  given: string | undefined,
  { options, queue }: Readonly<{ options: RunOptions; queue?: NonNullable<PhaseOptions['queue']> }>,
): Promise<Ended> {
  const entered = await enterWorktree(context, given, options);
  const { slot, worktree } = entered;
  try {
    const prepared = await prepareInTime(entered.context, entered.given, entered.options);
    const ended = await driveRun(entered.context, inTree(prepared, entered), {
      options: entered.options,
      ...(queue ? { queue } : {}),
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
  const made = newBranch ? { newBranch } : {};
  return { ...prepared, request: { ...request, ...made, about: { ...request.about, worktree } } };
}

/** Tells of each plan what would be done, as if it were the only one. */
async function describeRuns(
  context: CliContext,
  plans: readonly string[],
  options: RunOptions,
): Promise<number> {
  for (const plan of plans.length > 0 ? plans : [undefined]) {
    const prepared = await prepareRun(context, plan, options);
    for (const notice of prepared.notices) printNote(context, notice);
    await describeRun(context, prepared, options);
  }
  return 0;
}
