// An issue as a plan. A stranger may have written it: settings, checks and attributes in it are ignored.
import { defined } from '../../defined.ts';
import { isAcceptance } from '../formats/foreign.ts';
import { textOutside } from '../outside.ts';
import { parsePlan } from '../parse.ts';
import type { Task } from '../plan.ts';
import type { ImportedPlan, ImportedTask } from './imported.ts';

export type Issue = Readonly<{
  body: string;
  title?: string;
  number?: number;
  url?: string;
  /** Names a body without a heading. */
  file?: string;
}>;

export function readIssue(issue: Issue): ImportedPlan {
  const { criteria, rest } = splitAcceptance(issue.body.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const plan = parsePlan(rest, issue.file ?? 'issue.md');
  const tasks = plan.tasks.map((task) => readTask(task));
  const last = tasks.at(-1);
  const from = issue.url ?? (issue.number === undefined ? '' : `issue ${issue.number}`);
  const settings = [...plan.settings.keys()];
  return {
    title: issue.title ?? plan.title,
    overview: [
      from === '' ? '' : `From ${from}:`,
      textOutside(rest, plan.tasks).replaceAll(/\n{3,}/g, '\n\n'),
    ].join('\n\n'),
    // Criteria for the whole are judged with the last task.
    tasks: last
      ? [...tasks.slice(0, -1), { ...last, criteria: [...last.criteria, ...criteria] }]
      : onlyTask(issue.title ?? plan.title, criteria),
    notes: settings.map((key) => `the setting \`${key}\` before the text is not taken: it is not yours`),
  };
}

function onlyTask(title: string, criteria: readonly string[]): readonly ImportedTask[] {
  if (criteria.length === 0) return [];
  return [{ id: '1', title, steps: [{ text: title, ticked: false }], criteria, text: '' }];
}

function readTask(task: Task): ImportedTask {
  return {
    id: task.id,
    title: task.title,
    steps: task.steps.map(({ text, ticked }) => ({ text, ticked })),
    criteria: task.criteria,
    ...defined({ depends: task.depends }),
    text: textOf(task),
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
