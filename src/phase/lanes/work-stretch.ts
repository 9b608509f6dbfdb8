// Works the next tasks in lanes if two allow it, else one task in the run's own tree. What needs that tree
// waits until the lanes rest.
import { takeSnapshot } from '../../git/protect/snapshot.ts';
import { isFileChanged } from '../../git/tree/status.ts';
import { isInWork, type TaskState } from '../../journal/task-state.ts';
import type { Plan } from '../../plan/plan.ts';
import { isSameTask, startOver } from '../../work/begin.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { writeKeptSnapshot } from '../../work/restart-files.ts';
import { isTreeOfHead } from '../../work/tree/work-tree.ts';
import { stateOf } from '../../work/work.ts';
import { type EndedTask, pick } from '../end-task.ts';
import { commitPlan } from '../open/commit-plan.ts';
import { soundHeadOf } from './branch.ts';
import { hasLane, type Lanes, listBegun } from './lanes.ts';
import { openLane } from './place-lane.ts';
import { chosenOf, endIn, Stretch } from './stretch.ts';

/** `passed`: not closed, and not tried again by themselves; `most`: how many may be closed. */
type Wish = Readonly<{ plan: Plan; passed: ReadonlySet<string>; most: number }>;

/** Undefined if there is no task. */
export async function workStretch(
  lanes: Lanes,
  { plan, passed, most }: Wish,
): Promise<readonly EndedTask[] | undefined> {
  const { trunk } = lanes;
  const excluded = excludedFromLanes(trunk, plan);
  const wide = excluded && (await openWide(lanes, plan, { excluded, most }));
  if (wide) return wide.work();
  const task = pick(trunk, plan, passed);
  if (!task) return undefined;
  const isHeld = trunk.run.signal.aborted || trunk.run.state().pause !== undefined;
  return isHeld ? [] : [await endIn(trunk, task)];
}

/** Undefined if no lane is needed, or possible. */
async function openWide(
  lanes: Lanes,
  plan: Plan,
  wish: Readonly<{ excluded: ReadonlySet<string>; most: number }>,
): Promise<Stretch | undefined> {
  const { trunk } = lanes;
  const begun = [...listBegun(trunk)].filter(([, { id }]) => !wish.excluded.has(id));
  const isWide = trunk.home !== undefined && trunk.run.config.jobs > 1 && lanes.room > 0;
  if (begun.length === 0 && !isWide) return undefined;
  if (trunk.plan.tracked && (await isFileChanged(trunk.repo, trunk.plan.name))) await commitPlan(trunk);
  if (
    begun.length === 0 &&
    (chosenOf(trunk, plan, { ...wish, underWay: new Set() }).length < 2 || !(await isTreeOfHead(trunk)))
  )
    return undefined;
  lanes.head = undefined;
  writeKeptSnapshot(trunk, await takeSnapshot(trunk.repo));
  await soundHeadOf(lanes);
  await dropOthers(lanes, begun);
  return new Stretch(lanes, { ...wish, begun: begun.map(([number]) => number) });
}

/** Undefined if work or a failure in the run's own tree comes first. */
function excludedFromLanes(place: WorkPlace, plan: Plan): ReadonlySet<string> | undefined {
  const { task: named, from } = place.run.options;
  const states = plan.tasks.map(({ id }) => ({ id, state: stateOf(place, { id }) }));
  const isHere = states.some(
    ({ id, state }) =>
      isInWork(state) && state.start?.lane === undefined && (named === undefined || id === named),
  );
  const isFailed = states.some(({ state }) => state.standing.is === 'failed');
  if (isHere || (isFailed && named === undefined && !place.run.config.keepGoing)) return undefined;
  const at = plan.tasks.findIndex(({ id }) => id === from);
  const before = plan.tasks.filter(({ id }, each) => (named === undefined ? each < at : id !== named));
  const over = states.filter(({ state }) => state.standing.is !== 'open');
  return new Set([...before, ...over].map(({ id }) => id));
}

/** An edited plan may give the number of a task in work to another. */
async function dropOthers(lanes: Lanes, begun: readonly (readonly [number, TaskState])[]): Promise<void> {
  const plan = readPlanAt(lanes.trunk);
  for (const [number, task] of begun) {
    if (isSameTask(plan, task) || !hasLane(lanes.trunk, number)) continue;
    const lane = await openLane(lanes, number);
    if (lane) await startOver(lane, task);
  }
}
