// What keeps tasks from running side by side, as notes, never errors.
import { defined } from '../../defined.ts';
import { isChain, isClosed, type Plan, type PlanNote, type Task, waitsOf } from '../plan.ts';
import { findOverlap, type TaskChoice, widestOf } from './choose-tasks.ts';

export type WidthLint = Pick<TaskChoice, 'aloneFor'> & Readonly<{ jobs: number }>;

/** With more, a plan needs another division, not more notes. */
const mostPairs = 200;

export function lintWidth(plan: Plan, { jobs, aloneFor }: WidthLint): readonly PlanNote[] {
  const [first] = plan.tasks;
  if (jobs < 2 || !first) return [];
  const none = explainNoWidth(plan, defined({ aloneFor }));
  if (none !== undefined)
    return [noteOf('no-parallel', `no two tasks can be worked on at once: ${none}`, first)];
  const byTask = Map.groupBy(findRivals(plan, aloneFor), (pair) => ('globs' in pair ? pair.one : pair.alone));
  return [...byTask].flatMap(([task, [pair]]) =>
    pair === undefined || task.exclusive
      ? []
      : [noteOf('files-overlap', `${formatRivals(pair)}: ${remedyOf(pair)}`, task)],
  );
}

function noteOf(rule: PlanNote['rule'], message: string, { place }: Pick<Task, 'place'>): PlanNote {
  return { rule, severity: 'warning', message, place };
}

/** Undefined if some tasks can run at once, or fewer than two are open. */
export function explainNoWidth(
  plan: Plan,
  { aloneFor }: Pick<TaskChoice, 'aloneFor'> = {},
): string | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  if (open.length < 2 || widestOf(plan, { ...defined({ aloneFor }), jobs: open.length }) > 1)
    return undefined;
  return whyNone(plan, findRivals(plan, aloneFor)[0]);
}

function whyNone(plan: Plan, rivals: Rivals | undefined): string {
  if (rivals) return `${formatRivals(rivals)}: ${remedyOf(rivals)}`;
  if (!isChain(plan))
    return 'by its `depends:` each task waits for the one before it: name only what it needs';
  const where = { tasks: 'in each task', sections: 'below each heading', list: 'below each item' }[
    plan.format
  ];
  return `no \`depends:\` says what a task needs, so each waits for the one before it. Write ${where} \`- depends: 1, 2\` with what it needs, or \`- depends: none\`, and \`- files:\` with what it changes`;
}

function remedyOf(rivals: Rivals): string {
  if ('globs' in rivals) return 'let each change its own files, or say by `depends:` which comes first';
  return rivals.alone.exclusive ? 'remove that if it is not needed' : 'leave that file to a separate task';
}

export function formatRivals(rivals: Rivals): string {
  if ('globs' in rivals) return `tasks ${rivals.one.id} and ${rivals.other.id} ${formatGlobs(rivals.globs)}`;
  const { alone, file } = rivals;
  return file === undefined
    ? `task ${alone.id} says \`exclusive: true\``
    : `task ${alone.id} may change \`${file}\`, on which the checks depend, so it must be alone`;
}

function formatGlobs([one, other]: readonly [string, string]): string {
  return one === other
    ? `both change \`${one}\``
    : `change \`${one}\` and \`${other}\`, which can mean one file`;
}

type Rivals = Readonly<{ one: Task; other: Task }> & WhyApart;

/** `file`: because of which it must be alone, if it does not say so itself. */
type WhyApart =
  | Readonly<{ globs: readonly [string, string] }>
  | Readonly<{ alone: Task; file: string | undefined }>;

/** Pairs of open tasks of which none waits for the other, and that may not run together all the same. */
export function findRivals(plan: Plan, aloneFor?: TaskChoice['aloneFor']): readonly Rivals[] {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const isBefore = orderOf(plan);
  const found: Rivals[] = [];
  for (const [at, one] of open.entries()) {
    for (const other of open.slice(at + 1)) {
      if (found.length >= mostPairs) return found;
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
