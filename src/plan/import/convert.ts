// Recognizes which tool a text comes from and parses it, without a model.

import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { shorten } from '../../shorten.ts';
import { endOfFrontMatter, readFrontMatter } from '../front-matter.ts';
import { sourceOf } from '../text-position.ts';
import { type ImportedPlan, idsOf } from './imported.ts';
import { readIssue } from './issue.ts';
import { emptyListOf, isPrd, misfitOf, readPrd } from './prd.ts';
import { readTaskMaster, tagsOf } from './task-master.ts';

const issue = z.looseObject({
  body: z.string(),
  title: z.string().optional(),
  number: z.number().optional(),
  url: z.string().optional(),
});

/** `tag`: one of Task Master's lists. Throws a Failure for an unknown format, or without a task. */
export function convert(text: string, file: string, tag?: string): ImportedPlan {
  const value =
    /^\uFEFF?\s*[[{]/.test(text) && !/\.(?:md|markdown)$/i.test(file) ? parseJson(text, file) : undefined;
  const plan = value === undefined ? readText(text, file) : convertJson(value, file, tag);
  if (plan.tasks.length > 0) return plan;
  throw new Failure('plan', `${file} contains no tasks`, {
    hint: 'A task list is `- [ ] text` lines, a plan of Cursor’s with `todos`, Task Master’s tasks.json, a prd.json, or an issue that `gh` saved as JSON.',
  });
}

function readText(text: string, file: string): ImportedPlan {
  return readCursor(text, file) ?? readIssue({ body: text, file });
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new Failure('plan', `${file} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

function convertJson(value: unknown, file: string, tag: string | undefined): ImportedPlan {
  const saved = issue.safeParse(value);
  if (saved.success) {
    const { body, title, number, url } = saved.data;
    return readIssue({
      body,
      ...defined({ title, number, url }),
    });
  }
  const tags = tagsOf(value);
  if (tags.length > 0) return withOthers(readTaskMaster(value, chooseTag(tags, file, tag)), { tags, tag });
  const empty = emptyListOf(value);
  if (empty !== undefined)
    throw new Failure('plan', `${file} has no stories: its \`${empty}\` list is empty`, {
      hint: 'Write the stories first; each needs a title.',
    });
  if (isPrd(value)) return readPrd(value);
  const misfit = misfitOf(value);
  throw new Failure('plan', `${file} is not in a format that pawl can import${misfit ? `: ${misfit}` : ''}`, {
    hint: 'Supported formats: Task Master’s tasks.json (`tasks` with id and title), prd.json (`userStories` or `stories`), and an issue with its `body`.',
  });
}

function withOthers(
  plan: ImportedPlan,
  { tags, tag }: Readonly<{ tags: readonly string[]; tag: string | undefined }>,
): ImportedPlan {
  const others = tags.filter((one) => one !== 'master');
  if (tag !== undefined || tags.length < 2) return plan;
  const note = `this is the list master; the file has others, which --tag imports: ${others.join(', ')}`;
  return { ...plan, notes: [note, ...plan.notes] };
}

function chooseTag(tags: readonly string[], file: string, wanted: string | undefined): string {
  const found =
    wanted === undefined ? (tags.length === 1 ? tags[0] : tags.find((tag) => tag === 'master')) : wanted;
  if (found !== undefined && tags.includes(found)) return found;
  throw new Failure('usage', `${file} has ${wanted === undefined ? 'several lists' : `no list ${wanted}`}`, {
    hint: `Choose one with --tag: ${tags.join(', ')}`,
  });
}

/** The step has all of a longer todo. */
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

function readCursor(text: string, file: string): ImportedPlan | undefined {
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
