// What each task waits for if several are worked on at once: `depends:`, the order of a chain, and in spec-kit's lists the
// marks that lift it.
import { isChain, isRequired, type Plan, type Task } from '../plan.ts';

/** Ids that each task waits for, by its own id. */
export function waitsOf(plan: Plan): ReadonlyMap<string, readonly string[]> {
  // One `depends:` that a person adds to another tool's list must not lift the order of all the rest.
  if (plan.format !== 'tasks') return waitsByMarks(plan);
  const chain = isChain(plan);
  return new Map(
    plan.tasks.map(({ id, depends }, at) => {
      const before = plan.tasks[at - 1];
      return [id, depends ?? (chain && before ? [before.id] : [])];
    }),
  );
}

/** Neighbours with marks wait for what precedes them all, not for each other; what follows waits for them all. */
function waitsByMarks(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const waits = new Map<string, readonly string[]>();
  let before: readonly string[] = [];
  let group = new Map<string, string>();
  for (const task of plan.tasks) {
    const mark = markOf(plan, task);
    if (mark === undefined) {
      waits.set(task.id, task.depends ?? (group.size > 0 ? [...group.values()] : before));
      [before, group] = [[task.id], new Map()];
    } else {
      const sameMark = group.get(mark);
      waits.set(task.id, task.depends ?? (sameMark === undefined ? before : [sameMark]));
      group.set(mark, task.id);
    }
  }
  return waits;
}

/**
 * The user story of a phase, or a mark of its own for an item with `[P]`; undefined for what keeps its place in the order.
 */
function markOf({ format, tasks }: Plan, { id, title, steps }: Task): string | undefined {
  if (format === 'list') return /(?:^|\s)\[P\](?=\s|$)/.test(title) ? id : undefined;
  // A foundation's steps are marked with the stories that need it, so these marks count only if no heading names stories.
  if (tasks.some((task) => storyHeading.test(task.title))) return storyOf(title);
  const marks = steps.filter(isRequired).map(({ text }) => text.match(/\[US\d+\]/g)?.join('') ?? '');
  const [mark = ''] = marks;
  const isOne = /^\[US\d+\]$/.test(mark) && marks.every((other) => other === mark);
  return isOne && !/\b(?:foundation|setup|shared|polish)/i.test(title) ? mark : undefined;
}

const storyHeading = /\bUser Stor(?:y|ies) \d/i;

/** A phase with several stories cannot run beside another. */
function storyOf(title: string): string | undefined {
  const [, story, others] =
    /\bUser Stor(?:y|ies) (\d+)((?:\s*(?:[+&,/]|and)\s*(?:User Story )?\d+)*)/i.exec(title) ?? [];
  return others === '' ? story : undefined;
}
