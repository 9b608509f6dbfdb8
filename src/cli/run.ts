// `pawl run`: prepares a run, drives it, and shows it.
import { pickExit } from '../failure.ts';
import { printIfDone } from '../start/already-done.ts';
import { type CliContext, printNote } from '../start/context.ts';
import { runOne } from '../start/drive-run.ts';
import { choosePlan } from '../start/find-plan.ts';
import { refuseFlags } from '../start/load-settings.ts';
import type { RunFlags } from '../start/run-options.ts';
import { prepareRun } from '../start/run-plan.ts';
import type { Command } from './command.ts';
import { describeRun } from './dry-run.ts';

export const runPlan: Command<RunFlags> = async (context, named, options) => {
  refuseFlags(options);
  const [first = await choosePlan(context), ...others] = named;
  const plans = [first, ...others];
  if (options.dryRun) return describeRuns(context, plans, options);
  const done = others.length > 0 ? undefined : await printIfDone(context, first, options);
  if (done !== undefined) return done;
  if (options.web) await (await import('../web/serve-beside.ts')).serveBeside(context);
  if (others.length === 0) return (await runOne(context, first, options)).exit;
  const { runInTurn } = await import('../start/run-in-turn.ts');
  return runInTurn(context, plans, options);
};

async function describeRuns(
  context: CliContext,
  plans: readonly string[],
  options: RunFlags,
): Promise<number> {
  const exits: number[] = [];
  for (const plan of plans) {
    const done = await printIfDone(context, plan, options);
    exits.push(done ?? 0);
    if (done !== undefined) continue;
    const prepared = await prepareRun(context, plan, options);
    for (const notice of prepared.runPlan.notices) printNote(context, notice);
    await describeRun(context, prepared, options);
  }
  return pickExit(exits);
}
