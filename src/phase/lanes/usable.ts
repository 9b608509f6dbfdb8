// Whether git can read a lane of the run; the files of one that it cannot are kept beside it, and the lane is made anew.
import { isReadable, setAside } from '../../git/lane/save-lane.ts';
import type { Place } from '../../place/place.ts';
import { hasLane, laneFolder } from './lanes.ts';

/** Whether git can read it, with a HEAD that it can read again. */
export async function isUsable(trunk: Place, { repo }: Place, number: number): Promise<boolean> {
  return hasLane(trunk, number) && isReadable(repo, trunk.run.state().started.branch);
}

/** Moves its folder aside, if there is one; returns where its files are then. */
export function setLaneAside(trunk: Place, number: number): string | undefined {
  const folder = laneFolder(trunk, number);
  return folder === undefined ? undefined : setAside(folder);
}
