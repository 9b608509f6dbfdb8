// Formats the plan's part of a run's header, and what happens to the plan file.
import { isDeepStrictEqual } from 'node:util';
import { commandLine, type PlanningAsked } from '../../event/dialogue.ts';
import type { ReviewAsked } from '../../event/run.ts';
import type { FactOf } from '../../event.ts';
import { formatCommand, formatCount, formatList, shortOid } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';
import { formatGround } from './format-ground.ts';
import type { Formats } from './formats.ts';
import { nameRunFile } from './render-context.ts';

export const planFormats = {
  'run-started': (fact) => formatHeader(fact),
  'plan-read': (fact, options, context) =>
    formatTasks(fact, { verbose: options.verbose, before: context.state?.plan }),
  'branch-created': (fact) => [row('new', `branch ${fact.branch}, from ${shortOid(fact.from)}`)],
  'plan-committed': (fact) => [row('new', `commit ${shortOid(fact.oid)}, which adds ${fact.plan}`)],
  'plan-edit-set-aside': (fact, options, context) => [
    line('warn', `Plan edit ${fact.number} was set aside and the plan restored: ${fact.detail}`),
    line(
      'dim',
      `it is in ${nameRunFile(context, fact.file, options.runs)}; to take it, copy it over the plan while the run is paused or stopped`,
      1,
    ),
  ],
  'plan-archived': ({ state, to }) => (state === 'done' ? [line('plain', `Plan moved to ${to}`)] : []),
} satisfies Formats;

function formatHeader(fact: FactOf<'run-started'>): readonly Line[] {
  if (fact.planning) return [...formatRequested(fact, fact.planning), ...formatStanding(fact)];
  return [
    ...(fact.review ? formatReviewed(fact, fact.review) : formatPlanned(fact)),
    ...formatStanding(fact),
  ];
}

function formatPlanned(fact: FactOf<'run-started'>): readonly Line[] {
  const plan =
    fact.planPlace === 'outside'
      ? `${fact.plan} (not tracked by git: ticked in place, never committed)`
      : fact.plan;
  return [
    line('head', `Plan: ${fact.title}`),
    row('plan', plan),
    row('branch', `${fact.branch}, at ${shortOid(fact.base)}`),
    ...(fact.worktree === undefined ? [] : [row('tree', `${fact.worktree.path} (a ground of this run)`)]),
  ];
}

function formatRequested(
  { title, branch, base }: FactOf<'run-started'>,
  { from, output }: PlanningAsked,
): readonly Line[] {
  return [
    line('head', `Planning: ${title}`),
    ...(from === commandLine ? [] : [row('asked', `in ${from}`)]),
    ...(output === undefined ? [] : [row('plan', output)]),
    row(
      'branch',
      `${branch === '' ? 'no branch' : branch}, at ${shortOid(base)}; read in a copy, not changed`,
    ),
  ];
}

function formatReviewed({ title, branch, base }: FactOf<'run-started'>, asked: ReviewAsked): readonly Line[] {
  const where = branch === '' ? 'no branch' : branch;
  return [
    line('head', asked.plan === undefined ? title : `Review: ${title}`),
    ...(asked.plan === undefined ? [] : [row('plan', asked.plan)]),
    row('branch', `${where}, at ${shortOid(base)}, since ${shortOid(asked.base)}`),
    ...(asked.reportOnly ? [row('changes', 'none: this review only reports')] : []),
  ];
}

function formatStanding(fact: FactOf<'run-started'>): readonly Line[] {
  const { untracked, run, pawl } = fact;
  const yours = `${formatList(untracked)}, untracked: pawl will not commit ${untracked.length === 1 ? 'it' : 'them'}`;
  return [
    ...formatGround(fact),
    ...(untracked.length === 0 ? [] : [row('yours', yours)]),
    row('run', `${run}, pawl ${pawl}`),
  ];
}

type PlanRead = FactOf<'plan-read'>;

/** The receipt has all. */
const mostOutside = 5;

function formatOutside({ outside = [] }: PlanRead): readonly Line[] {
  if (outside.length === 0) return [];
  const named = outside.slice(0, mostOutside).map(({ text, line }) => `${text} (line ${line})`);
  const more = outside.length - named.length;
  const words = [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return [
    row('outside', `${formatCount(outside.length, 'open box', 'open boxes')} that no task tracks: ${words}`),
  ];
}

/** The whole plan at first; later only what somebody changed in it, not what was closed. */
function formatTasks(
  fact: PlanRead,
  { verbose, before }: Readonly<{ verbose: boolean; before: PlanRead | undefined }>,
): readonly Line[] {
  if (before && isSamePlan(before, fact) && !hasReopened(before, fact)) return [];
  const isYours = (task: PlanRead['tasks'][number]) =>
    task.closed && task.manual.length === task.steps && task.steps > 0;
  const yours = fact.tasks.filter(isYours).length;
  const closed = fact.tasks.filter((task) => task.closed).length - yours;
  const manual = fact.tasks.reduce((sum, task) => sum + task.manual.length, 0);
  const optional = fact.tasks.reduce((sum, task) => sum + (task.optional ?? []).length, 0);
  const counts = [
    `${formatCount(fact.tasks.length, 'task')}: ${closed} closed, ${fact.tasks.length - closed - yours} open${yours > 0 ? `, ${yours} left to you` : ''}`,
    ...(manual === 0 ? [] : [`${formatCount(manual, 'manual step')} for you`]),
    ...(optional === 0 ? [] : [formatCount(optional, 'optional step')]),
  ].join('; ');
  const tasks = fact.tasks.map((task) =>
    line('dim', `Task ${task.id}${task.closed ? ' (closed)' : ''}: ${task.title}`, 2),
  );
  return [
    ...(before ? [line('plain', 'The plan has changed')] : []),
    ...formatChecks(fact),
    row('tasks', counts),
    ...formatOutside(fact),
    ...(verbose ? tasks : []),
  ];
}

function hasReopened(before: PlanRead, now: PlanRead): boolean {
  const closed = new Set(before.tasks.filter((task) => task.closed).map(({ id }) => id));
  return now.tasks.some((task) => !task.closed && closed.has(task.id));
}

/** Whether they differ at most in what is closed; one read from the journal has its keys in another order. */
function isSamePlan(one: PlanRead, other: PlanRead): boolean {
  const [a, b] = [one, other].map(({ checks, tasks }) => ({
    checks,
    tasks: tasks.map(({ closed: _, ...task }) => task),
  }));
  return isDeepStrictEqual(a, b);
}

function formatChecks({ checks, tasks }: FactOf<'plan-read'>): readonly Line[] {
  if (checks === undefined) return [];
  const own = tasks.flatMap((task) =>
    (task.checks ?? []).map((check) => `${formatCommand(check)}  (task ${task.id})`),
  );
  const all = [...checks.map(formatCommand), ...own];
  if (all.length === 0) return [row('checks', 'none: every task will be closed unchecked', true)];
  return all.map((text, index) => ({
    ...labelled('plain', index === 0 ? 'checks' : '', text),
    commands: [text.replace(/ {2}\(task [^)]*\)$/, '')],
  }));
}

function row(label: string, text: string, isWarning = false): Line {
  return labelled(isWarning ? 'warn' : 'plain', label, text);
}
