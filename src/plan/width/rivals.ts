// Open tasks that do not wait for each other and still cannot be worked on at once, with the reason.
import { isClosed, type Plan, type Task } from '../plan.ts';
import type { TaskChoice } from './choose-tasks.ts';
import { findOverlap } from './overlap.ts';
import { waitsOf } from './waits.ts';

/** Two tasks, and what keeps them apart: globs that can match one file, or one that must be alone. */
export type Rivals = Readonly<{ one: Task; other: Task }> & WhyApart;

/** `alone`: the one that must be, and the file because of which, if the task does not say so itself. */
type WhyApart =
  | Readonly<{ globs: readonly [string, string] }>
  | Readonly<{ alone: Task; file: string | undefined }>;

/** The first `most` pairs, in the order of the plan. */
export function findRivals(
  plan: Plan,
  { aloneFor, most = Number.POSITIVE_INFINITY }: Pick<TaskChoice, 'aloneFor' | 'most'> = {},
): readonly Rivals[] {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const isBefore = orderOf(plan);
  const found: Rivals[] = [];
  for (const [at, one] of open.entries()) {
    for (const other of open.slice(at + 1)) {
      if (found.length >= most) return found;
      const why = whyApart(one, other, aloneFor);
      if (why && !isBefore(one, other) && !isBefore(other, one)) found.push({ one, other, ...why });
    }
  }
  return found;
}

function whyApart(one: Task, other: Task, aloneFor: TaskChoice['aloneFor']): WhyApart | undefined {
  for (const alone of [one, other]) {
    const file = alone.exclusive ? undefined : aloneFor?.(alone);
    if (alone.exclusive || file !== undefined) return { alone, file };
  }
  const globs = findOverlap(one.files, other.files);
  return globs && { globs };
}

/** Whether the second task waits for the first, directly or indirectly. */
function orderOf(plan: Plan): (one: Task, other: Task) => boolean {
  const waits = waitsOf(plan);
  const before = new Map<string, ReadonlySet<string>>();
  const allBefore = (id: string): ReadonlySet<string> => {
    const known = before.get(id);
    if (known) return known;
    const all = new Set(waits.get(id));
    for (const next of all) for (const further of waits.get(next) ?? []) all.add(further);
    before.set(id, all);
    return all;
  };
  return (one, other) => allBefore(other.id).has(one.id);
}
