// Lanes with unfinished work as a stop leaves them, and what a person has changed in them by the next start.
import { asFailure } from '../../failure.ts';
import type { TaskState } from '../../journal/state.ts';
import type { LeftLane } from '../../place/run.ts';
import { type Accepted, acceptTree } from '../../work/edits/external-edits.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { recordLeftTree } from '../../work/rescue/left-tree.ts';
import { createLanes, type Lanes, listBegun } from './lanes.ts';
import { placeLane } from './place-lane.ts';
import { isUsable } from './usable.ts';

/** How they are now; one that git cannot read is left out. */
export async function recordLeftLanes(place: WorkPlace): Promise<readonly LeftLane[]> {
  const lanes = createLanes(place);
  const left: LeftLane[] = [];
  for (const number of listBegun(place).keys()) {
    const lane = placeLane(lanes, number);
    if (!(await isUsable(place, lane, number))) continue;
    try {
      const { tree, head, refused } = await recordLeftTree(lane);
      left.push({ lane: number, tree, head, refused: [...refused] });
    } catch (error) {
      if (!asFailure(error)) throw error;
    }
  }
  return left;
}

/** What a person changed in each, by lane, before anything of it is taken; a refusal where that was not asked for. */
export async function acceptLanes(
  lanes: Lanes,
  begun: readonly (readonly [number, TaskState])[],
): Promise<ReadonlyMap<number, Accepted>> {
  const { trunk } = lanes;
  const accepted = new Map<number, Accepted>();
  for (const [number, { catchingUp }] of begun) {
    const left = trunk.run.options.leftLanes?.find(({ lane }) => lane === number);
    const lane = placeLane(lanes, number);
    // One that was being moved is gone through with first.
    if (!left || catchingUp || !(await isUsable(trunk, lane, number))) continue;
    const found = await acceptTree(lane, left);
    if (found) accepted.set(number, found);
  }
  return accepted;
}
