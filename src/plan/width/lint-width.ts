// What keeps tasks from running side by side, as notes, never errors.
import { isChain, isClosed, type Plan, type PlanNote, type Task, waitsOf } from '../plan.ts';
import { findRivals, type Rivals, type TaskChoice, widestOf } from './choose-tasks.ts';

export type WidthLint = Pick<TaskChoice, 'aloneFor'> & Readonly<{ jobs: number }>;

/** With more, a plan needs another division, not more notes. */
const mostPairs = 200;

export function lintWidth(plan: Plan, { jobs, ...reasons }: WidthLint): readonly PlanNote[] {
  const [first] = plan.tasks;
  if (jobs < 2 || !first) return [];
  const none = explainNoWidth(plan, reasons);
  if (none !== undefined)
    return [noteOf('no-parallel', `no two tasks can be worked on at once: ${none}`, first)];
  const byTask = Map.groupBy(listRivals(plan, reasons), ({ task }) => task);
  return [...byTask].flatMap(([task, [rivals]]) =>
    rivals && !task.exclusive ? [noteOf('files-overlap', rivals.says, task)] : [],
  );
}

function noteOf(rule: PlanNote['rule'], message: string, { place }: Pick<Task, 'place'>): PlanNote {
  return { rule, severity: 'warning', message, place };
}

type Reasons = Pick<TaskChoice, 'aloneFor'>;

/** Undefined if some tasks can run at once, or fewer than two are open. */
export function explainNoWidth(plan: Plan, { aloneFor }: Reasons = {}): string | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  if (open.length < 2 || widestOf(plan, { aloneFor, jobs: open.length }) > 1) return undefined;
  const [rivals] = listRivals(plan, { aloneFor });
  if (rivals) return rivals.says;
  if (!isChain(plan))
    return 'by its `depends:` each task waits for the one before it: name only what it needs';
  const where = { tasks: 'in each task', sections: 'below each heading', list: 'below each item' }[
    plan.format
  ];
  return `no \`depends:\` says what a task needs, so each waits for the one before it. Write ${where} \`- depends: 1, 2\` with what it needs, or \`- depends: none\`, and \`- files:\` with what it changes`;
}

/** Of open tasks of which none waits for the other, and that may not run together all the same. */
function listRivals(plan: Plan, reasons: Reasons): readonly Rivals[] {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const isBefore = orderOf(plan);
  const found: Rivals[] = [];
  for (const [at, one] of open.entries()) {
    for (const other of open.slice(at + 1)) {
      if (found.length >= mostPairs) return found;
      const rivals = findRivals(one, other, reasons);
      if (rivals && !isBefore(one, other) && !isBefore(other, one)) found.push(rivals);
    }
  }
  return found;
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
