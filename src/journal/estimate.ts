// Estimates how long a plan's tasks may take from this repository's earlier runs: median and upper quartile per task. Tasks
// are counted, not compared.

import type { RunStats } from './run-stats.ts';
import type { RunState } from './state.ts';

export type TaskTook = Readonly<{
  run: string;
  /** Time of its sessions and checks, and pawl's own in between. */
  ms: number;
  /** US dollars; absent if unknown or only a lower bound. */
  costUsd?: number;
}>;

/** `low`: if every task is like the median of the earlier ones. `high`: like the upper quartile. */
export type Range = Readonly<{ low: number; high: number }>;

/** What some tasks may take, without a review. */
export type Estimate = Readonly<{
  ms: Range;
  /** Absent if no earlier task's cost is known. */
  costUsd?: Range;
  from: Readonly<{ tasks: number; runs: number }>;
}>;

/** What a run's closed tasks took, without those that no session worked on, such as ones ticked by hand. */
export function tookOfTasks({ run, tasks }: RunStats, state: RunState): readonly TaskTook[] {
  return tasks.flatMap(({ name, tally }): TaskTook[] => {
    const { sessions, ms, spent } = tally;
    if (sessions === 0 || state.tasks.get(name)?.standing !== 'closed') return [];
    const known = spent.costUsd === undefined || spent.atLeast ? {} : { costUsd: spent.costUsd };
    return [{ run, ms: ms.working + ms.checking + ms.own, ...known }];
  });
}

/** What `count` tasks may take; undefined if there is nothing to go by. */
export function estimateTasks(count: number, took: readonly TaskTook[]): Estimate | undefined {
  if (took.length === 0 || count === 0) return undefined;
  const costs = took.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    ms: rangeOf(
      took.map(({ ms }) => ms),
      count,
    ),
    ...(costs.length === 0 ? {} : { costUsd: rangeOf(costs, count) }),
    from: { tasks: took.length, runs: new Set(took.map(({ run }) => run)).size },
  };
}

function rangeOf(values: readonly number[], count: number): Range {
  const sorted = values.toSorted((one, other) => one - other);
  return { low: quantile(sorted, 0.5) * count, high: quantile(sorted, 0.75) * count };
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
