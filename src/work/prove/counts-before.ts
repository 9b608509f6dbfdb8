// Pure. The last results of checks before a task's work: of the plan's at the start, of tasks that closed since, and of its
// own before it began.
import type { FactOf } from '../../event.ts';
import type { RunState, TaskState } from '../../journal/state.ts';

/** In the order in which they ran. */
export function countsBefore(
  { baseline, tasks }: RunState,
  task: TaskState,
): readonly FactOf<'check-ended'>[] {
  const closed = [...tasks.values()]
    .filter(({ closed, id }) => closed !== undefined && id !== task.id)
    .sort((one, other) => (one.closed?.at ?? '').localeCompare(other.closed?.at ?? ''));
  return [
    ...baseline,
    ...closed.flatMap(({ checks }) => checks.filter(({ when }) => when === 'after')),
    ...task.checks.filter(({ when }) => when === 'before'),
  ];
}
