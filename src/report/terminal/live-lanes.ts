// What each lane of a run is doing right now: the same fold as that of a run with one task at a time, for each lane apart.
import type { Event, Stamped } from '../../event.ts';
import { foldLive } from './live.ts';
import { type Doing, doingNames, type Live } from './live-state.ts';

/** The state after one more event, which may have happened in a lane. */
export function foldLiveLanes(live: Live, event: Stamped<Event>): Live {
  const { lane } = event;
  if (lane === undefined) return foldOutside(live, event);
  const lanes = new Map(live.lanes);
  const { doing, shared } = split(foldLive({ ...split(live).shared, ...lanes.get(lane) }, event));
  if (ending.has(event.type) || doing.task === undefined) lanes.delete(lane);
  else lanes.set(lane, doing);
  return { ...shared, ...split(live).doing, lanes };
}

/** What ends a task's time in its lane. */
const ending: ReadonlySet<Event['type']> = new Set([
  'task-closed',
  'task-failed',
  'task-parked',
  'task-skipped',
  'lane-closed',
]);

function foldOutside(live: Live, event: Stamped<Event>): Live {
  const next = foldLive(live, event);
  const isOver = event.type === 'phase-started' || event.type === 'run-ended';
  return isOver && live.lanes.size > 0 ? { ...next, lanes: new Map() } : next;
}

/** What one lane is doing, and what all share. */
function split(live: Live): Readonly<{ doing: Doing; shared: Live }> {
  const shared: Record<string, unknown> = { ...live };
  const doing: Record<string, unknown> = {};
  for (const name of doingNames) {
    if (live[name] !== undefined) doing[name] = live[name];
    delete shared[name];
  }
  return { doing: doing as Doing, shared: shared as Live };
}
