// Recognizes which tool a text comes from and parses it into an imported plan. No model is asked.

import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { readCursor } from './cursor.ts';
import type { ImportedPlan } from './imported.ts';
import { readIssue } from './issue.ts';
import { emptyListOf, isPrd, misfitOf, readPrd } from './prd.ts';
import { readTaskMaster, tagsOf } from './task-master.ts';

const issue = z.looseObject({
  body: z.string(),
  title: z.string().optional(),
  number: z.number().optional(),
  url: z.string().optional(),
});

/**
 * Parses another tool's file; `tag` names one of Task Master's lists. Throws a Failure for an unknown format, or if there
 * is no task.
 */
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
