// Recognizes what another tool's text is, and parses it, without a model.
import path from 'node:path';
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { isAcceptance } from '../formats/foreign.ts';
import { parsePlan } from '../parse.ts';
import { type Task, textOutside } from '../plan.ts';
import { endOfFrontMatter, readFrontMatter } from '../settings.ts';
import { sourceOf } from '../text-position.ts';
import type { ImportedPlan, ImportedTask } from './imported.ts';
import { findList, findTagged, readList, type TaskList } from './task-list.ts';

/** As `gh` saves it. */
const issue = z.looseObject({ body: z.string(), title: z.string().optional(), url: z.string().optional() });

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
  if (todos?.key !== 'todos') return readIssue({ body: text }, file);
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
  if (saved.success) return readIssue(saved.data, 'issue.md');
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
  const lack = wanted === undefined ? 'several lists' : `no list ${wanted}`;
  const hint = `Choose one with --tag: ${tags.join(', ')}`;
  if (!list) throw new Failure('usage', `${file} has ${lack}`, { hint });
  const plan = readList(list, tag === 'master' ? path.parse(file).name : tag);
  const others = tags.filter((one) => one !== tag);
  if (wanted !== undefined || others.length === 0) return plan;
  const note = `this is the list ${tag}; the file has others, which --tag imports: ${others.join(', ')}`;
  return { ...plan, notes: [note, ...plan.notes] };
}

/** `file` names a body without a heading. */
function readIssue({ body, title, url }: z.output<typeof issue>, file: string): ImportedPlan {
  const { criteria, rest } = splitAcceptance(body.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const plan = parsePlan(rest, file);
  const name = title ?? plan.title;
  const tasks = plan.tasks.map((task): ImportedTask => ({ ...task, text: textOf(task) }));
  // Criteria for the whole are judged with the last task.
  const last = tasks.pop() ?? {
    id: '1',
    title: name,
    steps: [{ text: name, ticked: false }],
    criteria: [],
    depends: undefined,
    text: '',
  };
  const isNothing = plan.tasks.length === 0 && criteria.length === 0;
  const outside = textOutside(rest, plan.tasks).replaceAll(/\n{3,}/g, '\n\n');
  return {
    title: name,
    overview: url ? `From ${url}:\n\n${outside}` : outside,
    tasks: isNothing ? [] : [...tasks, { ...last, criteria: [...last.criteria, ...criteria] }],
    notes: [...plan.settings.keys()].map(
      (key) => `the setting \`${key}\` before the text is not taken: it is not yours`,
    ),
  };
}

function textOf({ source, steps, place }: Task): string {
  const boxes = new Set(steps.map(({ box }) => box.line - place.line));
  const lines = source.split('\n');
  const isHeaded = /^#/.test(lines[0] ?? '');
  return lines
    .filter(
      (line, at) =>
        !boxes.has(at) && !(isHeaded && at === 0) && !/^\s*[-+*] (?:criterion|depends):/.test(line),
    )
    .join('\n')
    .trim();
}

function splitAcceptance(body: string): { criteria: string[]; rest: string } {
  const criteria: string[] = [];
  let isInside = false;
  const rest = body.split('\n').filter((line) => {
    const heading = /^#{1,6}[ \t]+(.*)$/.exec(line)?.[1];
    if (heading !== undefined) isInside = isAcceptance(heading);
    const item = isInside ? /^\s*(?:[-+*]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line)?.[1] : undefined;
    if (item !== undefined) criteria.push(item);
    return item === undefined;
  });
  return { criteria, rest: rest.join('\n') };
}
