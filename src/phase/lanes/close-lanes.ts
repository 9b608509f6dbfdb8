// Removes the lanes of a run whose tasks are all closed, once everything in them is saved.
import { fixed } from '../../config/fixed.ts';
import { removeLane } from '../../git/lane/save-lane.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { pathOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { isSameEntry, readEntry } from '../../git/tree/entry.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import { lookAtTree } from '../../git/tree/look.ts';
import type { StatusEntry } from '../../git/tree/status.ts';
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

/**
 * Whether it contains anything that is neither on the branch nor, for ignored files that a rescue would hold, in the run's
 * own tree.
 */
async function holdsMore(trunk: Place, { repo, index }: Place): Promise<boolean> {
  const files = [...(await listDirt(repo)), ...(await listUntracked(repo))];
  if (files.length > 0 || !(await descends(repo, await readHeadCommit(repo), await headOf(trunk))))
    return true;
  const { ignored } = await lookAtTree(repo, index);
  const entryIn = ({ root }: Repo, { raw }: StatusEntry) => readEntry(pathOf(root, raw));
  return ignored
    .filter(({ file }) => !file.endsWith('/') && matchesAny(file, fixed.rescued))
    .some((entry) => !isSameEntry(entryIn(repo, entry), entryIn(trunk.repo, entry)));
}
