// When a run's tasks may be closed and what they may cost, from those that are.
import { readTimes, spentBy } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import type { Forecast } from './run-view.ts';
import { listInWork } from './works.ts';

/** Undefined before two are closed, and once none is left. */
export function forecastRun(state: RunState): Forecast | undefined {
  const all = [...state.tasks.values()];
  const { byTask } = readTimes(state, state.lastAt);
  const took = all.flatMap(({ id, start, closed }) =>
    start && closed ? [Object.values(byTask.get(id) ?? {}).reduce((sum, ms) => sum + ms, 0)] : [],
  );
  const left = all.filter(({ standing }) => standing === 'open').length;
  if (took.length < 2 || left === 0) return undefined;
  const meanMs = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  const { costUsd } = spentBy(state);
  return {
    leftMs: (meanMs * left) / Math.max(1, listInWork(state).length),
    ...(costUsd === undefined ? {} : { costUsd: (costUsd / took.length) * (took.length + left) }),
  };
}
