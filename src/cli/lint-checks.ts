// Runs the checks of open tasks before any work: those that already pass prove nothing.
import { isClosed, type Plan } from '../plan/plan.ts';
import { obtainTrust } from '../start/consent.ts';
import { type CliContext, printNote } from '../start/context.ts';
import { tryChecks } from '../start/try-checks.ts';
import { placeTaskChecks } from '../work/work.ts';

export type TriedNow = Readonly<{ tried: number; green: ReadonlySet<string> }>;

/** Asks for trust where any would run. */
export async function trustChecks(context: CliContext, root: string, plans: readonly Plan[]): Promise<void> {
  const checks = plans.flatMap(listOwnChecks).map(({ command }) => command);
  if (checks.length > 0) await obtainTrust(context, { root, checks });
}

/** How many were run, and the ids of the green. */
export async function findGreenChecks(
  context: CliContext,
  plan: Plan,
  given: Readonly<{ root: string; timeoutMs: number }>,
): Promise<TriedNow> {
  const wanted = listOwnChecks(plan);
  if (wanted.length === 0) {
    printNote(context, 'No open task has its own check, so there is none to run.');
    return { tried: 0, green: new Set() };
  }
  const runs = await tryChecks(context, wanted, given);
  const green = runs.filter(({ result }) => result === 'green').map(({ check }) => check.id);
  return { tried: wanted.length, green: new Set(green) };
}

function listOwnChecks(plan: Plan): ReturnType<typeof placeTaskChecks> {
  return placeTaskChecks({ ...plan, tasks: plan.tasks.filter((task) => !isClosed(task)) });
}
