// A plan from another tool's file, and its markdown, which parses back to exactly these tasks: prose is quoted, all
// else is one line each.
import { looksLikeCommand } from '../markdown-commands.ts';
import type { Step, Task } from '../plan.ts';

/** Without `depends`, only the order decides. */
export type ImportedTask = Pick<Task, 'id' | 'title' | 'criteria' | 'depends'> &
  Readonly<{ steps: readonly Pick<Step, 'text' | 'ticked'>[]; text: string }>;

export type ImportedPlan = Readonly<{
  title: string;
  overview: string;
  branch?: string;
  tasks: readonly ImportedTask[];
  /** What was dropped or is only text, one sentence each. */
  notes: readonly string[];
}>;

type ImportedCheck = Readonly<{ task: string; command: string }>;

/** Somebody else wrote the text, so none runs unless a person wants it. */
export function proposeChecks(plan: ImportedPlan): readonly ImportedCheck[] {
  return plan.tasks.flatMap((task) => {
    const spans = [...task.criteria, task.text, ...task.steps.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.trim()),
    );
    const commands = new Set(spans.filter(looksLikeCommand));
    return [...commands].map((found) => ({ task: task.id, command: found }));
  });
}

export function writeImported(plan: ImportedPlan, checks: readonly ImportedCheck[]): string {
  const blocks = [
    ...(plan.branch === undefined ? [] : [`---\nbranch: ${JSON.stringify(plan.branch)}\n---`]),
    `# Plan: ${heading(plan.title) || 'Imported'}`,
    '## Overview',
    quote(plan.overview),
    ...plan.tasks.flatMap((task) => writeTask(task, checks)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function writeTask(task: ImportedTask, checks: readonly ImportedCheck[]): string[] {
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

export function quote(text: string): string {
  const lines = text.trim().split(/\r\n|\n|\r/);
  return text.trim() === '' ? '' : lines.map((line) => `> ${line}`.trimEnd()).join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Closing marks would be lost, a leading box would be a step, a comment would hide words. */
function heading(text: string): string {
  return oneLine(text.replaceAll('<!--', ''))
    .replace(/^(?:\[[ xX]\] )+/, '')
    .replace(/(?:^|\s)#+$/, '')
    .trim();
}

function span(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

const taskId = /^(?=[A-Za-z._-]*\d)[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?$/;

/** As they are, if all are valid and unique; else numbers. */
export function idsOf(own: readonly (string | undefined)[]): readonly string[] {
  const areFine = own.every((id) => id !== undefined && taskId.test(id)) && new Set(own).size === own.length;
  return own.map((id, at) => (areFine && id !== undefined ? id : String(at + 1)));
}
