// Whether every contender could start, before the first one does: consent, settings, agents, branches. Changes nothing but
// the consent that a person gives.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { CliContext } from '../context.ts';
import { printNote } from '../context.ts';
import { inspectPlan } from '../inspect-plan.ts';
import { prepareRun } from '../prepare-run.ts';
import type { RunOptions } from '../run-options.ts';
import type { Contestant } from './contestant.ts';

/** Options of `pawl compare` that also apply to its runs. */
export type SharedOptions = Omit<RunOptions, 'agent' | 'model' | 'branch' | 'worktree' | 'json'>;

/** The options of a contender's run. */
export function optionsOf(shared: SharedOptions, { options }: Contestant): RunOptions {
  const { trust: _, set = [], ...rest } = shared;
  return { ...rest, ...options, set: [...set, ...(options.set ?? [])], tasksOnly: true, worktree: true };
}

/**
 * Throws what is wrong with the first contender that could not start, naming it; returns the hash that was consented to.
 */
export async function refuseContestants(
  context: CliContext,
  given: string,
  { shared, contestants }: Readonly<{ shared: SharedOptions; contestants: readonly Contestant[] }>,
): Promise<string | undefined> {
  const { consent } = await inspectPlan(context, given, { ...shared, fresh: true, worktree: true });
  const trust = defined({ trustHash: consent?.hash });
  const told = new Set<string>();
  for (const contestant of contestants) {
    const options = { ...optionsOf({ ...shared, ...trust }, contestant), fresh: true, dryRun: true };
    const { notices } = await named(contestant, prepareRun(context, given, options));
    for (const notice of notices.filter((text) => !told.has(text))) {
      told.add(notice);
      printNote(context, notice);
    }
  }
  return consent?.hash;
}

async function named<T>({ with: name }: Contestant, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    throw new Failure(code, `${name}: ${message}`, { cause: error, ...defined({ hint }) });
  }
}
