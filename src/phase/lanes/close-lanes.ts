import { removeLane } from '../../git/lane/save-lane.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { listDirt, listUntracked } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { headOf, type Lanes, laneFolder } from './lanes.ts';
import { placeLane } from './place-lane.ts';
import { isUsable, setLaneAside } from './usable.ts';

/** Removes them; landed work is on the branch, the rest in rescue commits. */
export async function closeLanes(lanes: Lanes): Promise<void> {
  const { trunk } = lanes;
  const { run } = trunk;
  for (const number of run.state().lanes.keys()) {
    const folder = laneFolder(trunk, number);
    if (folder === undefined) continue;
    const lane = placeLane(lanes, number);
    if (!(await isUsable(trunk, lane, number))) setLaneAside(trunk, number);
    else if (await holdsMore(trunk, lane)) await saveRescuePoint(lane, 'what a lane held at its end');
    removeLane(folder, () => run.emit({ type: 'lane-closed', lane: number }));
  }
}

/** Whether it contains anything that is not on the branch. */
async function holdsMore(trunk: Place, { repo }: Place): Promise<boolean> {
  const files = [...(await listDirt(repo)), ...(await listUntracked(repo))];
  return files.length > 0 || !(await descends(repo, await readHeadCommit(repo), await headOf(trunk)));
}
