// Decides whether tasks are worked on side by side now, and which.
import { isInWork } from '../../journal/state.ts';
import type { PlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { stateOf } from '../../work/work.ts';
import type { Lanes } from './lanes.ts';
import type { LaneEnd } from './shift.ts';
import { workSideBySide } from './side-by-side.ts';

/** Works side by side if that is configured and possible; undefined if tasks are now done one after the other. */
export async function workInLanes(
  lanes: Lanes,
  planSnapshot: PlanSnapshot,
  { passed, most }: Readonly<{ passed: ReadonlySet<string>; most: number }>,
): Promise<readonly LaneEnd[] | undefined> {
  const { trunk } = lanes;
  const { task: named, from } = trunk.run.options;
  const { plan } = planSnapshot;
  const tasks = plan.tasks.map((each) => ({ id: each.id, state: stateOf(trunk, each) }));
  const isFailed = tasks.some(({ state }) => state.standing === 'failed');
  // Tasks in work, or failed, in this tree are dealt with first.
  const inTrunk = tasks.filter(({ state }) => isInWork(state) && state.start?.lane === undefined);
  const isElsewhere = inTrunk.some(({ id }) => named === undefined || id === named);
  if (isElsewhere || (isFailed && named === undefined && !trunk.run.config.keepGoing)) return undefined;
  const at = plan.tasks.findIndex(({ id }) => id === from);
  const before = plan.tasks.filter(({ id }, each) => (named === undefined ? each < at : id !== named));
  const set = tasks.filter(({ state: { standing } }) => standing !== 'open');
  const left = tasks.filter(({ id, state }) => passed.has(id) && state.standing !== 'open');
  const excluded = new Set([...before, ...set, ...left].map(({ id }) => id));
  return workSideBySide(lanes, planSnapshot, { excluded, most });
}
