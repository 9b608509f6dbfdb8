// Takes into a run's own ground what a person has committed on its branch.
import type { Move } from '../git/lane/follow.ts';
import { partChanges } from '../git/rescue/replay-rescue.ts';
import { changedEntries } from '../git/tree/changes.ts';
import type { Place } from '../place/place.ts';
import { setWorkAside } from './begin.ts';
import { writeTreeNow } from './tree/work-tree.ts';

/** Between pieces of work: also completes what a kill cut off. */
export async function settleHome(place: Place): Promise<void> {
  await place.home?.take((move) => makeWay(place, move));
  await place.home?.bring();
}

/** Work that changes the same files as what comes leaves the tree, and returns after it. */
async function makeWay(place: Place, { from, to }: Move): Promise<void> {
  const { plan, repo, run } = place;
  const { tree } = await writeTreeNow(place);
  const since = (now: string) => changedEntries(repo, from, now);
  const { left = [] } = partChanges(await since(tree), await since(to));
  const isLeaving = [...run.state().tasks.values()].some(({ work }) => work.is === 'leaving');
  if (isLeaving || left.some(({ file }) => file !== plan.name))
    await setWorkAside(place, 'somebody committed changes of the same files');
}
