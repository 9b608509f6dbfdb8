// Rules about what tasks wait for: an id that the plan lacks, and tasks that wait for each other.
import { nearest } from '../../nearest.ts';
import type { Plan, Task } from '../plan.ts';
import { type LintRule, type Remark, ruleOf } from './rule.ts';

export const dependsRules: readonly LintRule[] = [
  ruleOf('unknown-depends', 'error', unknown),
  ruleOf('cyclic-depends', 'error', cyclic),
];

function unknown({ tasks }: Plan): readonly Remark[] {
  const ids = tasks.map(({ id }) => id);
  const known = new Set(ids);
  return tasks.flatMap(({ id, depends = [], dependsPlace, place }) =>
    depends
      .filter((other) => !known.has(other))
      .map((other) => {
        const meant = nearest(other, ids);
        const help = meant ? `did you mean ${meant}?` : `the plan has ${ids.join(', ')}`;
        const message = `task ${id} depends on task ${other}, which the plan does not have: ${help}`;
        return { message, place: dependsPlace ?? place };
      }),
  );
}

/** One note per cycle. */
function cyclic({ tasks }: Plan): readonly Remark[] {
  const left = new Map(tasks.map((task) => [task.id, task]));
  const waitsOf = ({ depends = [] }: Task) => depends.flatMap((id) => left.get(id) ?? []);
  const notes: Remark[] = [];
  for (let [first] = left.values(); first; [first] = left.values()) {
    const free = [...left.values()].filter((task) => waitsOf(task).length === 0);
    const cycle = free.length > 0 ? [] : cycleFrom(first, waitsOf);
    if (cycle.length > 0) notes.push(cycleNote(cycle));
    for (const { id } of [...free, ...cycle]) left.delete(id);
  }
  return notes;
}

/** Each task waits for one that is left, so the way comes back to where it was. */
function cycleFrom(first: Task, waitsOf: (task: Task) => readonly Task[]): readonly Task[] {
  const way = new Set<Task>();
  let task: Task | undefined = first;
  for (; task && !way.has(task); [task] = waitsOf(task)) way.add(task);
  const tasks = [...way];
  return task ? tasks.slice(tasks.indexOf(task)) : tasks;
}

function cycleNote(tasks: readonly Task[]): Remark {
  const [first] = tasks;
  const ids = tasks.map(({ id }) => id);
  const circle = [...ids, ids[0]].join(' → ');
  const message =
    ids.length === 1
      ? `task ${ids[0]} depends on itself, so it can never start: take ${ids[0]} out of its \`depends\``
      : `these tasks wait for each other, so none can start: ${circle}: remove one \`depends\``;
  return { message, place: first?.dependsPlace ?? first?.place ?? { line: 1, column: 1, offset: 0 } };
}
