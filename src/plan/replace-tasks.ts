// Replaces a plan's open tasks by position: every byte outside their sections stays.
import { isClosed, type Plan, type Task } from './plan.ts';

/** Ids. `changed`: other text, or another position among the open ones. */
export type PlanMerge = Readonly<{ text: string; added: readonly string[]; changed: readonly string[] }>;

/**
 * `answer` has all open tasks, which fill the places of the open ones in its order; a new one goes before the next known
 * one, or after the last.
 */
export function mergeTasks(plan: Plan, answer: readonly Task[]): PlanMerge {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const known = answer.filter(({ id }) => open.some((task) => task.id === id));
  const eol = plan.text.includes('\r\n') ? '\r\n' : '\n';
  const textOf = ({ source }: Task) => withLineEnds(source, eol);
  const parts: string[] = [];
  let from = 0;
  let next = 0;
  for (const [at, task] of known.entries()) {
    const { place, source } = open[at] ?? task;
    const until = at === known.length - 1 ? answer.length : answer.indexOf(task) + 1;
    const filling = answer
      .slice(next, until)
      .map(textOf)
      .join(eol + eol);
    parts.push(plan.text.slice(from, place.offset), filling);
    from = place.offset + source.length;
    next = until;
  }
  const isMoved = (task: Task, at: number) => open[at]?.id !== task.id || open[at].source !== textOf(task);
  return {
    text: parts.join('') + plan.text.slice(from),
    added: answer.filter((task) => !known.includes(task)).map(({ id }) => id),
    changed: known.filter(isMoved).map(({ id }) => id),
  };
}

export function withLineEnds(text: string, eol: string): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}
