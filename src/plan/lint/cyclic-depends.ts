// Tasks that wait for each other: one note per task that closes a cycle.
import type { Task, TextPosition } from '../plan.ts';
import { ruleOf } from './rule.ts';

type Remark = Readonly<{ message: string; place: TextPosition }>;
const start = { line: 1, column: 1, offset: 0 };

export const cyclicDepends = ruleOf('cyclic-depends', 'error', (plan) => {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const done = new Set<string>();
  const closing = new Set<string>();
  const notes: Remark[] = [];
  for (const task of plan.tasks) {
    const path = new Set<string>();
    // Iterative: a chain of a thousand tasks must not overflow the stack.
    const stack: { id: string; next: Iterator<string> }[] = [];
    const enter = (id: string) => {
      path.add(id);
      stack.push({ id, next: (byId.get(id)?.depends ?? []).values() });
    };
    if (!done.has(task.id)) enter(task.id);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.next.next();
      if (next.done) {
        done.add(top.id);
        path.delete(top.id);
        stack.pop();
      } else if (!path.has(next.value)) {
        if (!done.has(next.value)) enter(next.value);
      } else if (!closing.has(top.id)) {
        closing.add(top.id);
        const ids = [...path];
        notes.push(cycleNote(ids.slice(ids.indexOf(next.value)), byId));
      }
    }
  }
  return notes;
});

function cycleNote(ids: readonly string[], byId: ReadonlyMap<string, Task>): Remark {
  const first = byId.get(ids[0] ?? '');
  const circle = [...ids, ids[0]].join(' → ');
  const message =
    ids.length === 1
      ? `task ${ids[0]} depends on itself, so it can never start: take ${ids[0]} out of its \`depends\``
      : `these tasks wait for each other, so none can start: ${circle}: remove one \`depends\``;
  return { message, place: first?.dependsPlace ?? first?.place ?? start };
}
