// Where a run stands, in one short line for a shell's prompt or a status bar. Knows no schema, so that it loads fast.
import { formatUsd } from '../../dollars.ts';
import type { RunState } from '../../journal/state.ts';

/** What is not in the journal: whether a live pawl works on it, the time, and what it cost in US dollars. */
export type SeenNow = Readonly<{ isHeld: boolean; nowMs: number; costUsd: number | undefined }>;

const oldMs = 3_600_000;

/** `pawl login 3/8, task 4 (attempt 2), $1.20`; empty for one that nobody waits for any more. */
export function formatStatusLine(state: RunState, seen: SeenNow): string {
  const what = describeNow(state, seen);
  if (what === '') return '';
  const name = state.started.plan.replace(/^.*\//, '').replace(/\.(?:md|markdown)$/i, '');
  const cost = seen.costUsd ? `, ${formatUsd(seen.costUsd)}` : '';
  return `pawl ${cut(name)}${state.started.planning ? '' : ` ${countDone(state)}`}, ${what}${cost}`;
}

function describeNow(state: RunState, { isHeld, nowMs }: SeenNow): string {
  const { ended, waiting, pause } = state;
  const asking = [...state.tasks.values()].find(({ standing }) => standing === 'parked');
  if (ended?.finished) return nowMs - Date.parse(ended.at) > oldMs ? '' : formatEnd(ended.exit);
  if (ended?.reasons.some(({ code }) => code === 'discarded')) return '';
  if (asking && (ended || waiting)) return `task ${asking.id} asks you`;
  if (ended) return `stopped${ended.exit === 0 ? '' : ` (exit ${ended.exit})`}`;
  if (!isHeld) return 'died, can be resumed';
  if (pause?.since !== undefined) return 'paused';
  if (waiting) return `waiting until ${formatClock(waiting.until)}`;
  return describeWork(state);
}

function describeWork(state: RunState): string {
  const tasks = [...state.tasks.values()]
    .filter(({ standing, start }) => standing === 'open' && start !== undefined)
    .sort((a, b) => (a.start?.at ?? '').localeCompare(b.start?.at ?? ''));
  const inLanes = state.landings.lanes.size > 0 ? tasks.filter(({ takenAway }) => !takenAway) : [];
  if (inLanes.length > 1) return `tasks ${inLanes.map(({ id }) => id).join(', ')}`;
  const task = tasks.at(-1);
  if (task) {
    const attempt = task.attemptsEver - task.uncounted;
    return `task ${task.id}${attempt > 1 ? ` (attempt ${attempt})` : ''}`;
  }
  if (state.started.planning) return 'planning';
  const [stage, review] = [...state.review.stages].at(-1) ?? [];
  return stage ? `review ${stage} (round ${review?.rounds.length ?? 0})` : 'working';
}

function formatEnd(exit: number): string {
  return exit === 0 ? 'done' : `finished (exit ${exit})`;
}

/** Closed ones, including those that were ticked before the run. */
function countDone({ tasks, plan }: RunState): string {
  const ticked = new Set(plan?.tasks.filter(({ closed }) => closed).map(({ id }) => id));
  const done = [...tasks.values()].filter(
    ({ id, standing, start }) =>
      standing === 'closed' || standing === 'closed-by-hand' || (start === undefined && ticked.has(id)),
  );
  return `${done.length}/${tasks.size}`;
}

function formatClock(epochMs: number): string {
  const at = new Date(epochMs);
  if (Number.isNaN(at.getTime())) return 'later';
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

function cut(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}
