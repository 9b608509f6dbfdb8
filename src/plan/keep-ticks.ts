// Merges ticks that a plan got meanwhile into an edit of an older copy.
import { parsePlan } from './parse.ts';
import { isClosed, isRequired, type Task } from './plan.ts';
import { tickSteps } from './tick.ts';

/**
 * Tasks closed already in `base`, the copy that was edited, stay as the edit has them: whoever reopened one meant it.
 */
export function keepTicks(edit: string, now: string, base?: string): string {
  const edited = parsePlan(edit, '');
  const begun = base === undefined ? undefined : parsePlan(base, '');
  const ticks = parsePlan(now, '')
    .tasks.filter(isClosed)
    .flatMap((task) => {
      const before = findTask(begun?.tasks, task);
      const after = findTask(edited.tasks, task);
      if (!after || (before && isClosed(before))) return [];
      const ticked = new Set(task.steps.filter((step) => step.ticked).map((step) => step.text));
      return after.steps.filter((step) => !step.ticked && isRequired(step) && ticked.has(step.text));
    });
  return tickSteps(edit, ticks);
}

function findTask(tasks: readonly Task[] | undefined, { id }: Task): Task | undefined {
  return tasks?.find((task) => task.id === id);
}
