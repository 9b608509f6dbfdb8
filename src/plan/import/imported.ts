// A plan as another tool's file describes it, and the markdown it becomes. That markdown always parses back to exactly these
// tasks: prose is quoted, where nothing counts, and everything else is one line each.
import { looksLikeCommand } from '../markdown-commands.ts';

/** One task to be. */
export type ImportedTask = Readonly<{
  id: string;
  title: string;
  steps: readonly Readonly<{ text: string; ticked: boolean }>[];
  /** When it is done, in words. */
  criteria: readonly string[];
  /** Ids it waits for; undefined where the source has no such thing, so that the order alone decides. */
  depends?: readonly string[];
  /** Further text, of any number of lines. */
  text: string;
}>;

/** A whole plan to be. */
export type ImportedPlan = Readonly<{
  title: string;
  /** Free text, of any number of lines. */
  overview: string;
  /** A branch the source names. */
  branch?: string;
  tasks: readonly ImportedTask[];
  /** What has no place in a plan and was left out or kept only as text, a sentence each. */
  notes: readonly string[];
}>;

/** A command found in a plan's text, which may become a check of a task if a person says so. */
export type ProposedCheck = Readonly<{ task: string; command: string }>;

/** Commands in backticks in what the tasks say of being done: text that someone else wrote, so none runs unless a person wants it. */
export function proposeChecks(plan: ImportedPlan): readonly ProposedCheck[] {
  return plan.tasks.flatMap((task) => {
    const spans = [...task.criteria, task.text, ...task.steps.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.trim()),
    );
    const commands = new Set(spans.filter(looksLikeCommand));
    return [...commands].map((found) => ({ task: task.id, command: found }));
  });
}

/** The plan as markdown, with the checks that were accepted. */
export function writeImported(plan: ImportedPlan, checks: readonly ProposedCheck[]): string {
  const blocks = [
    ...(plan.branch === undefined ? [] : [`---\nbranch: ${JSON.stringify(plan.branch)}\n---`]),
    `# Plan: ${heading(plan.title) || 'Imported'}`,
    '## Overview',
    quote(plan.overview),
    ...plan.tasks.flatMap((task) => writeTask(task, checks)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function writeTask(task: ImportedTask, checks: readonly ProposedCheck[]): string[] {
  const own = checks.filter((check) => check.task === task.id);
  const steps = task.steps.length > 0 ? task.steps : [{ text: task.title, ticked: false }];
  const lines = [
    ...(task.depends === undefined ? [] : [`- depends: ${task.depends.join(', ') || 'none'}`]),
    ...own.map((check) => `- check: ${span(check.command)}`),
    ...task.criteria.flatMap((text) => (oneLine(text) === '' ? [] : [`- criterion: ${oneLine(text)}`])),
    ...steps.map(({ text, ticked }) => `- [${ticked ? 'x' : ' '}] ${oneLine(text) || 'Do it'}`),
  ];
  return [`### Task ${task.id}: ${heading(task.title) || 'Untitled'}`, quote(task.text), lines.join('\n')];
}

/** Every line behind a `>`: headings, boxes, fences and comments in it are only text. */
export function quote(text: string): string {
  const lines = text.trim().split(/\r\n|\n|\r/);
  return text.trim() === '' ? '' : lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A heading's closing marks are none of its words, a box before them would be a step, and a comment would hide some. */
function heading(text: string): string {
  return oneLine(text.replaceAll('<!--', ''))
    .replace(/^(?:\[[ xX]\] )+/, '')
    .replace(/(?:^|\s)#+$/, '')
    .trim();
}

function span(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** True for an id that a task heading may carry. */
export function isTaskId(id: string): boolean {
  return /^(?=[A-Za-z._-]*\d)[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?$/.test(id);
}
