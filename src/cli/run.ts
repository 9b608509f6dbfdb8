// `pawl run`: puts together what a run needs, hands it over, shows what happens. The story itself is ../run.ts.

import { readStartWish } from './await-start.ts';
import type { Command } from './command.ts';
import type { CliContext } from './context.ts';
import { driveRun } from './drive-run.ts';
import { describeRun } from './dry-run.ts';
import { prepareInTime } from './prepare-in-time.ts';
import { prepareRun } from './prepare-run.ts';
import type { RunOptions } from './run-options.ts';
import { tellDone } from './tell-done.ts';

/** Runs a plan, or several in turn. */
export const runPlan: Command<RunOptions> = async (context, plans, options) => {
  const done = tellDone(context, plans, options);
  if (done !== undefined) return done;
  if (options.dryRun) return describeRuns(context, plans, options);
  if (plans.length > 1) {
    const { runQueue } = await import('./queue.ts');
    // The time is waited for once, before the first of them, and then nobody is there to be asked.
    const { startAt, startAfterReset, ...each } = options;
    const then = startAt === undefined && !startAfterReset ? context : { ...context, canAsk: false };
    return runQueue(context, plans, {
      options,
      runOne: async (plan, queue) =>
        driveRun(then, await prepareInTime(then, plan, each), { options: each, queue }),
    });
  }
  return (await driveRun(context, await prepareInTime(context, plans[0], options), { options })).exit;
};

/** Tells of each plan what would be done, as if it were the only one. */
async function describeRuns(
  context: CliContext,
  plans: readonly string[],
  options: RunOptions,
): Promise<number> {
  readStartWish(context, options);
  for (const plan of plans.length > 0 ? plans : [undefined])
    describeRun(context, await prepareRun(context, plan, options));
  return 0;
}
