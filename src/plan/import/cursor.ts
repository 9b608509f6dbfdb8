// Cursor's saved plans: the work is the list `todos` in the front matter, and the text below it is prose.
import { z } from 'zod';
import { shorten } from '../../shorten.ts';
import { endOfFrontMatter, readFrontMatter } from '../front-matter.ts';
import { sourceOf } from '../text-position.ts';
import { type ImportedPlan, idsOf } from './imported.ts';

/** A todo may be a whole paragraph; the step has all of it. */
const longest = 100;

const word = z.union([z.string(), z.number()]).transform(String);
const todo = z.looseObject({
  id: word.optional(),
  content: z.string().min(1),
  status: z.string().default('pending'),
  dependencies: z.array(word).nullish(),
});
const matter = z.object({
  name: z.string().optional(),
  overview: z.string().optional(),
  todos: z.array(todo).min(1),
});

/** Parses such a plan; undefined if the front matter lists no todos. */
export function readCursor(text: string, file: string): ImportedPlan | undefined {
  const { settings } = readFrontMatter(sourceOf(text));
  const read = matter.safeParse(Object.fromEntries([...settings].map(([key, { value }]) => [key, value])));
  if (!read.success) return undefined;
  const { name, overview = '', todos } = read.data;
  const isLeft = ({ status }: z.output<typeof todo>) => status === 'cancelled';
  const kept = todos.filter((one) => !isLeft(one));
  const ids = idsOf(kept.map(({ id }) => id));
  const names = new Map(kept.map(({ id }, at) => [id, ids[at] ?? '']));
  return {
    title: name ?? file,
    overview: [overview, text.slice(endOfFrontMatter(text))].join('\n\n').trim(),
    tasks: kept.map(({ content, status, dependencies }, at) => ({
      id: ids[at] ?? '',
      title: shorten(content, longest),
      steps: [{ text: content, ticked: status === 'completed' }],
      criteria: [],
      ...(dependencies ? { depends: dependencies.flatMap((other) => names.get(other) ?? []) } : {}),
      text: '',
    })),
    notes: todos
      .filter(isLeft)
      .map(({ content }) => `the todo "${content}" is cancelled, so it is not a task of the plan`),
  };
}
