// Runs the checks of a draft's tasks once before any work, in a throw-away checkout of HEAD. Permission was asked before; the
// plan room judges the results.
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import type { Place } from '../../place/place.ts';
import { inScratchCheckout } from '../../place/scratch-checkout.ts';
import type { Plan } from '../../plan/plan.ts';
import { checksToTry, judgeTriedChecks, type TriedCheck } from '../../plan/tried-checks.ts';
import { runOneCheck } from '../../work/tree/run-checks.ts';
import { placeTaskChecks } from '../../work/work.ts';

/** What is wrong with the checks, each in a sentence to the planner; undefined when the run was interrupted, and nothing is known. */
export async function tryTaskChecks(place: Place, plan: Plan): Promise<readonly string[] | undefined> {
  if (checksToTry(plan).length === 0) return [];
  const head = await readHeadCommit(place.repo);
  return inScratchCheckout(place, { head, name: 'draft' }, async (root) => {
    const tried = await runAll(place, plan, root);
    return tried && judgeTriedChecks(plan, tried);
  });
}

async function runAll(
  place: Place,
  plan: Plan,
  root: string,
): Promise<ReadonlyMap<string, TriedCheck> | undefined> {
  const wanted = new Set(checksToTry(plan).map(({ id }) => id));
  const { check: most, trial } = place.run.config.clocks;
  const timeoutMs = Math.min(most, trial);
  const tried = new Map<string, TriedCheck>();
  for (const check of placeTaskChecks(plan)) {
    if (place.run.signal.aborted) return undefined;
    if (!wanted.has(check.id)) continue;
    const { result } = await runOneCheck(place, check, { when: 'draft', root, timeoutMs });
    tried.set(check.id, { result, seconds: Math.round(timeoutMs / 1000) });
  }
  return place.run.signal.aborted ? undefined : tried;
}
