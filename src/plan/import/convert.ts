// Recognizes what another tool's text is, and parses it, without a model.
import path from 'node:path';
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { endOfFrontMatter, readFrontMatter } from '../front-matter.ts';
import { sourceOf } from '../text-position.ts';
import type { ImportedPlan } from './imported.ts';
import { readIssue } from './issue.ts';
import { findList, findTagged, readList, type TaskList } from './task-list.ts';

const issue = z.looseObject({
  body: z.string(),
  title: z.string().optional(),
  number: z.number().optional(),
  url: z.string().optional(),
});

/** `tag`: one of Task Master's lists. Throws a Failure for an unknown format, or without a task. */
export function convert(text: string, file: string, tag?: string): ImportedPlan {
  const isJson = /^\uFEFF?\s*[[{]/.test(text) && !/\.(?:md|markdown)$/i.test(file);
  const plan = isJson ? convertJson(parseJson(text, file), file, tag) : readText(text, file);
  if (plan.tasks.length > 0) return plan;
  throw new Failure('plan', `${file} contains no tasks`, {
    hint: 'A task list is `- [ ] text` lines, a plan of Cursor’s with `todos`, Task Master’s tasks.json, a prd.json, or an issue that `gh` saved as JSON.',
  });
}

/** A plan of Cursor's has its tasks in its front matter. */
function readText(text: string, file: string): ImportedPlan {
  const { settings } = readFrontMatter(sourceOf(text));
  const todos = findList(Object.fromEntries([...settings].map(([key, { value }]) => [key, value])));
  if (todos?.key !== 'todos') return readIssue({ body: text, file });
  const plan = readList(todos, file);
  return { ...plan, overview: [plan.overview, text.slice(endOfFrontMatter(text))].join('\n\n').trim() };
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
    return readIssue({ body, ...defined({ title, number, url }) });
  }
  const list = findList(value);
  if (list) return readList(list, path.parse(file).name);
  const tagged = findTagged(value);
  if (tagged.size > 0) return readTagged(tagged, file, tag);
  throw new Failure('plan', `${file} is not in a format that pawl can import`, {
    hint: 'Supported formats: Task Master’s tasks.json (`tasks` with id and title), prd.json (`userStories` or `stories`), and an issue with its `body`.',
  });
}

function readTagged(
  tagged: ReadonlyMap<string, TaskList>,
  file: string,
  wanted: string | undefined,
): ImportedPlan {
  const tags = [...tagged.keys()];
  const tag = wanted ?? (tags.length === 1 ? tags[0] : 'master') ?? '';
  const list = tagged.get(tag);
  if (!list)
    throw new Failure(
      'usage',
      `${file} has ${wanted === undefined ? 'several lists' : `no list ${wanted}`}`,
      {
        hint: `Choose one with --tag: ${tags.join(', ')}`,
      },
    );
  const plan = readList(list, tag === 'master' ? path.parse(file).name : tag);
  const others = tags.filter((one) => one !== tag);
  if (wanted !== undefined || others.length === 0) return plan;
  const note = `this is the list ${tag}; the file has others, which --tag imports: ${others.join(', ')}`;
  return { ...plan, notes: [note, ...plan.notes] };
}
