// Tasks that wait for each other: one note per cycle.
import type { Task, TextPosition } from '../plan.ts';
import { ruleOf } from './rule.ts';

type Remark = Readonly<{ message: string; place: TextPosition }>;

export const cyclicDepends = ruleOf('cyclic-depends', 'error', ({ tasks }) => {
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
});

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
