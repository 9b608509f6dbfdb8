// The tree a close commits: tree T with the task's ticks.

import { withFile } from '../../git/commit/with-file.ts';
import { replaceIndex, setIndex } from '../../git/tree/index-file.ts';
import type { Place } from '../../place/place.ts';
import { tickTask } from '../../plan/tick.ts';
import { policyOf, type Work } from '../work.ts';

/** A tree with the ticks of a close: the plan's text, and the index file of pawl's own that holds the tree. */
export type Ticked = Readonly<{ text: string; tree: string; index: string }>;

/** Ticks a tree, mostly the one that the run's index is: in a copy, so that the index itself can be used meanwhile. */
export async function tickTree(place: Place, work: Work, tree: string): Promise<Ticked> {
  const text = tickWork(work);
  if (!place.plan.tracked) return { text, tree, index: place.index };
  const index = `${place.index}.ticked`;
  replaceIndex(place.index, index);
  await setIndex(place.repo, tree, index);
  return { text, tree: await withFile(place.repo, index, place.plan.name, Buffer.from(text)), index };
}

/** The plan's text when the work is closed: a task's steps are ticked, and there are none beside the tasks. */
export function tickWork(work: Work): string {
  return policyOf(work).ofPlan ? tickTask(work.planSnapshot.plan, work.task.id) : work.planSnapshot.text;
}
