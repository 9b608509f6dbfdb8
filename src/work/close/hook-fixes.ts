// What a pre-commit hook left that changed files and then refused the commit, as formatters do: it would accept them now.

import type { Place } from '../../place/place.ts';
import { runSettledChecks } from '../guard/check-writes.ts';
import { isCutShort, redOnes } from '../tree/run-checks.ts';
import { writeTreeNow } from '../tree/work-tree.ts';
import { checksOf, type Work } from '../work.ts';
import { type Ticked, tickTree } from './tick-tree.ts';

/** The changed tree with its ticks, if the checks are green on it; undefined if the hook changed nothing. */
export async function takeFixes(
  place: Place,
  work: Work,
  refused: string,
): Promise<Readonly<{ tree: string; ticked: Ticked }> | undefined> {
  const { tree } = await writeTreeNow(place);
  if (tree === refused) return undefined;
  const checks = checksOf(place, work.planSnapshot, work.task);
  const { runs } = await runSettledChecks(place, checks, { when: 'verify', task: work.task });
  if (redOnes(runs).length > 0 || isCutShort(place, checks, runs)) return undefined;
  const text = `the pre-commit hook changed files and refused the commit of task ${work.task.id}; with its changes the checks are green, so pawl commits once more`;
  place.run.emit({ type: 'noticed', code: 'hook-fixed', text });
  return { tree, ticked: await tickTree(place, work, tree) };
}
