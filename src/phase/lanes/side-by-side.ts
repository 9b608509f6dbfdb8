// Works on tasks side by side, each in a lane, as soon as two tasks allow it. What needs the run's own tree, such as an
// edited plan or a re-plan, waits until the lanes rest.
import { Failure } from '../../failure.ts';
import { isFileChanged } from '../../git/tree/status.ts';
import type { TaskState } from '../../journal/state.ts';
import { hashPlan, type PlanSnapshot, readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../../work/ports.ts';
import { commitPlanFile } from '../open/commit-plan.ts';
import { isSameTask, startOver } from './free-lane.ts';
import { guardTrunk } from './guard-trunk.ts';
import { noteOthersCommits, soundHeadOf } from './incoming.ts';
import { hasLane, type Lanes, listBegun } from './lanes.ts';
import { mayOpen } from './may-open.ts';
import { openLane } from './open-lane.ts';
import { chosenOf, type LaneEnd, type LaneWish, Shift } from './shift.ts';

/**
 * Works until nothing more can begin; undefined if no lane is needed, because none exists yet and the plan allows only one
 * task now.
 */
export async function workSideBySide(
  lanes: Lanes,
  { plan }: PlanSnapshot,
  asked: LaneWish,
): Promise<readonly LaneEnd[] | undefined> {
  const { trunk } = lanes;
  const begun = [...listBegun(trunk)].filter(([, { id }]) => !asked.excluded.has(id));
  if (begun.length === 0) {
    const first = chosenOf(trunk, plan, asked).slice(0, trunk.run.config.jobs);
    if (first.length < fewest(trunk) || !(await mayOpen(lanes, first))) return undefined;
  }
  await noteOthersCommits(trunk, await soundHeadOf(lanes));
  await commitEditedPlan(trunk);
  await dropOthers(lanes, begun);
  const { look, end } = await guardTrunk(trunk);
  const shift = new Shift(lanes, { ...asked, look }, hashPlan(readText(trunk.plan.file)));
  const ends = await shift.work().finally(end);
  const [gone] = begun.flatMap(([number]) => (hasLane(trunk, number) ? [] : number));
  if (ends.length > 0 || gone === undefined) return ends;
  throw new Failure('environment', `the folder of lane ${gone} is gone`, {
    hint: 'The same command starts its task again, with what was saved of it.',
  });
}

/**
 * How many tasks make lanes worthwhile. Once there is a lane, a person may do anything in the run's own tree, so it is no
 * longer a place for tasks.
 */
function fewest({ run }: WorkPlace): number {
  if (run.state().lanes.size > 0) return 1;
  return run.config.jobs > 1 ? 2 : Number.POSITIVE_INFINITY;
}

async function commitEditedPlan(trunk: WorkPlace): Promise<void> {
  const { plan, repo, run } = trunk;
  if (!plan.tracked || !(await isFileChanged(repo, plan.name))) return;
  const oid = await commitPlanFile(trunk, plan.name);
  run.emit({ type: 'plan-committed', oid, plan: plan.name });
}

/** A plan that was edited while the run was stopped may have another task under the number of one in work. */
async function dropOthers(lanes: Lanes, begun: readonly (readonly [number, TaskState])[]): Promise<void> {
  const { plan } = readPlanSnapshot(lanes.trunk);
  for (const [number, task] of begun) {
    if (isSameTask(plan, task) || !hasLane(lanes.trunk, number)) continue;
    const lane = await openLane(lanes, number);
    if (lane) await startOver(lane, task);
  }
}
