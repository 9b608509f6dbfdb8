// The tree a close commits: tree T with ticks.

import { replaceIndex, setIndex } from '../../git/tree/index-file.ts';
import { withFile } from '../../git/tree/vary.ts';
import type { Place } from '../../place/place.ts';
import { tickTask } from '../../plan/tick.ts';
import { isOfPlan, type Work } from '../work.ts';

/** `index`: pawl's own index file that holds the tree. */
export type Ticked = Readonly<{ text: string; tree: string; index: string }>;

/** `tree` is usually that of the run's index. Works in a copy, so that the index stays usable. */
export async function tickTree(place: Place, work: Work, tree: string): Promise<Ticked> {
  const text = tickWork(work);
  if (!place.plan.tracked) return { text, tree, index: place.index };
  const index = `${place.index}.ticked`;
  replaceIndex(place.index, index);
  await setIndex(place.repo, tree, index);
  return { text, tree: await withFile(place.repo, index, place.plan.name, Buffer.from(text)), index };
}

export function tickWork(work: Work): string {
  return isOfPlan(work) ? tickTask(work.planSnapshot.plan, work.task.id) : work.planSnapshot.text;
}
