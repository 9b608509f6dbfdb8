// Brings a lane's commit onto the branch, then into the run's own ground. Until then `closing` is open, for a restart.
import { moveBranch } from '../../git/run/head.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { tickIfThere } from '../../plan/tick.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { readText } from '../../work/plan/plan-snapshot.ts';
import type { Lanes } from './lanes.ts';
import { moveKnownLane, moveLane } from './move-lane.ts';

type Landed = Readonly<{ oid: string; parent: string }>;

/** False if the branch has left the commit's parent. */
export async function landCommit(
  { trunk, found }: Lanes,
  lane: Place,
  { oid, parent, task }: Landed & Readonly<{ task: string }>,
): Promise<boolean> {
  refuseElsewhere(trunk);
  await lane.home?.keep();
  const { branch } = trunk.run.state().started;
  if (!(await moveBranch(trunk.repo, { branch, from: parent, to: oid }))) return false;
  found.head = oid;
  await moveKnownLane(trunk, { ...moveTo({ oid, parent }), from: oid });
  await trunk.home?.bring();
  if (!trunk.plan.tracked) tickInPlace(trunk, task);
  return true;
}

/** After a kill once the branch had moved. */
export async function completeLanding(trunk: Place, landed: Landed): Promise<void> {
  await moveLane(trunk, moveTo(landed));
  await trunk.home?.bring();
}

function moveTo({ oid, parent }: Landed) {
  return {
    known: `${parent}^{tree}`,
    tree: `${oid}^{tree}`,
    commit: oid,
    reason: 'what was in the run’s own ground before a task landed',
  };
}

export function tickInPlace({ plan }: Place, task: string): string {
  const text = readText(plan.file);
  const ticked = tickIfThere(text, task, plan.file);
  if (ticked !== text) writePlanFile(plan.file, ticked);
  return ticked;
}
