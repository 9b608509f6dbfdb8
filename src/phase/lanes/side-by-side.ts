// Works on tasks side by side, each in a lane, as soon as two tasks allow it. What needs the run's own tree, such as an
// edited plan or a re-plan, waits until the lanes rest.
import { Failure } from '../../failure.ts';
import { isFileChanged } from '../../git/tree/status.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Plan } from '../../plan/plan.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { hashPlan, readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import { writeTreeNow } from '../../work/tree/work-tree.ts';
import type { EndedTask } from '../end-task.ts';
import { commitPlanFile } from '../open/commit-plan.ts';
import { isSameTask, startOver } from './free-lane.ts';
import { soundHeadOf } from './incoming.ts';
import { hasLane, type Lanes, listBegun } from './lanes.ts';
import { openLane } from './open-lane.ts';
import { chosenOf, type LaneWish, Shift } from './shift.ts';
import { tidyTrunk } from './tidy-trunk.ts';

/**
 * Works until nothing more can begin; undefined if no lane is needed: the run has no ground of its own, something of a task
 * or a person is in it, or the plan allows only one task now.
 */
export async function workSideBySide(
  lanes: Lanes,
  plan: Plan,
  asked: LaneWish,
): Promise<readonly EndedTask[] | undefined> {
  const { trunk } = lanes;
  const begun = [...listBegun(trunk)].filter(([, { id }]) => !asked.excluded.has(id));
  const isWide = trunk.home !== undefined && trunk.run.config.jobs > 1 && lanes.width.room > 0;
  if (begun.length === 0 && !isWide) return undefined;
  await commitEditedPlan(trunk);
  if (begun.length === 0 && (chosenOf(trunk, plan, asked).length < 2 || (await hasWork(trunk))))
    return undefined;
  delete lanes.found.head;
  await soundHeadOf(lanes);
  await dropOthers(lanes, begun);
  const shift = new Shift(lanes, asked, hashPlan(readText(trunk.plan.file)));
  const ends = await shift.work().finally(() => tidyTrunk(trunk, lanes.found.head));
  const [gone] = begun.flatMap(([number]) => (hasLane(trunk, number) ? [] : number));
  if (ends.length > 0) return ends;
  if (gone === undefined) return lanes.width.room > 0 ? ends : undefined;
  throw new Failure('environment', `the folder of lane ${gone} is gone`, {
    hint: 'The same command starts its task again, with what was saved of it.',
  });
}

/** Whether the run's own ground has anything that is not committed. */
async function hasWork(trunk: WorkPlace): Promise<boolean> {
  const [head] = (await trunk.repo.git(['rev-parse', 'HEAD^{tree}'])).split('\n');
  return (await writeTreeNow(trunk)).tree !== head;
}

async function commitEditedPlan(trunk: WorkPlace): Promise<void> {
  const { plan, repo, run } = trunk;
  if (!plan.tracked || !(await isFileChanged(repo, plan.name))) return;
  const oid = await commitPlanFile(trunk, plan.name);
  run.emit({ type: 'plan-committed', oid, plan: plan.name });
  await trunk.home?.bring();
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
