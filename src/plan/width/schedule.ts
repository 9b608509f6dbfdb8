// What a plan allows if several tasks are worked on at once: which of them when, and how much sooner all are done.
// Simulates the choice as if no task failed and landing took no time.
import type { Plan, Task } from '../plan.ts';
import { chooseTasks, countSteps, remainingWays, type TaskChoice } from './choose-tasks.ts';
import { waitsOf } from './waits.ts';

/** A time in which the same tasks are worked on, in the unit of the lengths, from 0. */
export type Stretch = Readonly<{ from: number; to: number; tasks: readonly string[] }>;

export type Schedule = Readonly<{
  stretches: readonly Stretch[];
  /** When the last one is done. */
  length: number;
  /** The same, one after the other. */
  work: number;
  /** The largest number of tasks at once. */
  widest: number;
  /** Ids of the longest chain of tasks that must be done one after another. */
  longestWay: readonly string[];
  /** How long they take. */
  wayLength: number;
}>;

export type ScheduleOptions = Omit<TaskChoice, 'underWay'> & Readonly<{ jobs: number }>;

/** Simulates a plan with at most that many tasks at once. */
export function scheduleTasks(plan: Plan, options: ScheduleOptions): Schedule {
  const { jobs, lengthOf = countSteps } = options;
  const done = new Set<string>();
  const ends = new Map<string, number>();
  const stretches: Stretch[] = [];
  let now = 0;
  for (;;) {
    const underWay = new Set(ends.keys());
    const most = jobs - ends.size;
    const chosen = most > 0 ? chooseTasks(closed(plan, done), { ...options, underWay, most }) : [];
    for (const task of chosen) ends.set(task.id, now + lengthOf(task));
    if (ends.size === 0) break;
    const to = Math.min(...ends.values());
    stretches.push({ from: now, to, tasks: [...ends.keys()] });
    now = to;
    for (const [id, end] of ends) {
      if (end > now) continue;
      ends.delete(id);
      done.add(id);
    }
  }
  const worked = plan.tasks.filter(({ id }) => done.has(id));
  const work = worked.reduce((sum, task) => sum + lengthOf(task), 0);
  const widest = Math.max(0, ...stretches.map(({ tasks }) => tasks.length));
  return { stretches, length: now, work, widest, ...findLongestWay(plan, worked, lengthOf) };
}

function closed(plan: Plan, done: ReadonlySet<string>): Plan {
  const tick = (task: Task) => ({ ...task, steps: task.steps.map((step) => ({ ...step, ticked: true })) });
  return { ...plan, tasks: plan.tasks.map((task) => (done.has(task.id) ? tick(task) : task)) };
}

function findLongestWay(
  plan: Plan,
  tasks: readonly Task[],
  lengthOf: (task: Task) => number,
): Pick<Schedule, 'longestWay' | 'wayLength'> {
  const waits = waitsOf(plan);
  const ways = remainingWays(tasks, waits, lengthOf);
  const longestOf = (some: readonly Task[]) =>
    some.toSorted((one, other) => (ways.get(other.id) ?? 0) - (ways.get(one.id) ?? 0))[0];
  const longestWay: string[] = [];
  const first = longestOf(tasks);
  for (let task = first; task; ) {
    const { id } = task;
    longestWay.push(id);
    task = longestOf(tasks.filter((other) => waits.get(other.id)?.includes(id)));
  }
  return { longestWay, wayLength: first ? (ways.get(first.id) ?? 0) : 0 };
}
