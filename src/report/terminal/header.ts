// The header of a run on a terminal: at most six lines, whatever the plan's size.
import { capsInForce } from '../../event/caps.ts';
import type { GroundFields } from '../../event/ground.ts';
import type { Event, FactOf } from '../../event.ts';
import { formatAmount } from '../events/format-budget.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { type Line, type Span, span, spanned } from '../text/line.ts';

export const headerTypes: ReadonlySet<Event['type']> = new Set([
  'run-started',
  'plan-read',
  'plan-committed',
  'branch-created',
  'budgets-set',
]);

/** Of a resumed run only what it is and what is left. */
export function headerLines(events: readonly Event[]): readonly Line[] {
  const started = findLast(events, 'run-started');
  const plan = findLast(events, 'plan-read');
  if (started === undefined) return [];
  const isResumed = findLast(events, 'run-resumed') !== undefined;
  const what = [titleLine(started), ...(plan ? [tasksLine(plan, started)] : [])];
  if (isResumed) return what;
  return [
    ...what,
    placeLine(started, events),
    ...limitsLine(started, findLast(events, 'budgets-set')),
    ...abnormalLine(started),
  ];
}

function findLast<T extends Event['type']>(
  events: readonly Event[],
  type: T,
): Extract<Event, { type: T }> | undefined {
  return events.findLast((event): event is Extract<Event, { type: T }> => event.type === type);
}

type RunStarted = FactOf<'run-started'>;

function titleLine({ title, plan, planning, review, planPlace }: RunStarted): Line {
  const kind = planning
    ? 'Planning: '
    : review?.plan === undefined && review
      ? ''
      : review
        ? 'Review: '
        : 'Plan: ';
  const file = planning || review?.plan === undefined ? (planning || review ? '' : plan) : review.plan;
  const outside =
    planPlace === 'outside' && !planning && !review
      ? ' (not tracked by git: ticked in place, never committed)'
      : '';
  return spanned('head', [
    span('head', `${kind}${title}`),
    span('dim', file === '' ? '' : `  ${file}${outside}`),
  ]);
}

function tasksLine(
  { tasks, checks = [], outside = [] }: FactOf<'plan-read'>,
  { untracked }: RunStarted,
): Line {
  const isYours = (task: (typeof tasks)[number]) =>
    task.closed && task.steps > 0 && task.manual.length === task.steps;
  const closed = tasks.filter((task) => task.closed && !isYours(task)).length;
  const manual = tasks.reduce((sum, task) => sum + task.manual.length, 0);
  const own = tasks.reduce((sum, task) => sum + (task.checks ?? []).length, 0);
  const parts = [
    `${formatCount(tasks.length, 'task')}, ${closed} closed`,
    ...(manual === 0 ? [] : [`${formatCount(manual, 'manual step')} for you`]),
    ...(checks.length + own === 0 ? [] : [checkCounts(checks.length, own)]),
    ...(outside.length === 0
      ? []
      : [
          `${formatCount(outside.length, 'open box', 'open boxes')} outside tasks: ${nameFirst(outside.map(({ text }) => text))}`,
        ]),
    ...(untracked.length === 0 ? [] : [`${formatCount(untracked.length, 'untracked file')}`]),
  ];
  const none = checks.length + own === 0 ? [span('warn', ' · no check: every task will be unchecked')] : [];
  return spanned('plain', [parts.join(' · '), ...none], 1);
}

function nameFirst([first = '', ...rest]: readonly string[]): string {
  return rest.length === 0 ? first : `${first} and ${rest.length} more`;
}

function checkCounts(ofPlan: number, ofTasks: number): string {
  return [
    ...(ofPlan === 0 ? [] : [formatCount(ofPlan, 'plan check')]),
    ...(ofTasks === 0 ? [] : [formatCount(ofTasks, 'task check')]),
  ].join(', ');
}

function placeLine(started: RunStarted, events: readonly Event[]): Line {
  const { branch, base, planning, worktree } = started;
  const created = findLast(events, 'branch-created');
  const where = planning
    ? `read at ${shortOid(base)}, not changed`
    : created
      ? `new, at ${shortOid(created.from)}`
      : `at ${shortOid(base)}`;
  const parts: (string | Span)[] = [branch === '' ? 'no branch' : branch, span('dim', ` (${where})`)];
  if (worktree) parts.push(span('dim', ' in a checkout of its own'));
  parts.push(` · ${agentOf(started)}`);
  return spanned('plain', parts, 1);
}

function agentOf({ agent, scripted, model, jobs, sandbox }: GroundFields): string {
  const name = scripted ? `a script plays ${agent}, no model runs` : agent;
  return [
    model === undefined ? name : `${name} ${model}`,
    ...(sandbox === undefined ? [] : [sandbox === 'docker' ? 'in docker' : 'in bubblewrap']),
    ...(jobs === undefined ? [] : [`${jobs} tasks at once`]),
  ].join(', ');
}

function limitsLine(
  { planning, review, reviews, reviewSessions }: RunStarted,
  budgets: FactOf<'budgets-set'> | undefined,
): readonly Line[] {
  const caps = budgets ? capsInForce(budgets) : [];
  const money = caps.find(({ budget }) => budget === 'cost' || budget === 'day');
  const cap = money
    ? `cap ${formatAmount(money.budget, money.cap)}${money.budget === 'day' ? ' a day' : ''}`
    : 'no cost limit';
  const sessions = reviewSessions ? ` (${reviewSessions.quiet}–${reviewSessions.withFixes} sessions)` : '';
  const told =
    planning || review ? [] : [`review: ${reviews === undefined ? 'none' : reviews.join(', ')}${sessions}`];
  return [spanned('plain', [[cap, ...told].join(' · ')], 1)];
}

function abnormalLine(started: RunStarted): readonly Line[] {
  const { billing, scripted, permissions, sandbox, trusted } = started;
  const parts = [
    ...(permissions === 'bypass' && sandbox === undefined
      ? ['the agent can reach whatever this user can']
      : []),
    ...(trusted ? [] : ['the repository is not trusted: its agent configuration is ignored']),
    ...(!scripted && /^no login|left out|by way of/.test(billing) ? [billing] : []),
  ];
  if (parts.length === 0) return [];
  const spans = parts.flatMap((text, at) => [span('warn', at === 0 ? '! ' : ' · ! '), text]);
  return [spanned('warn', spans, 1)];
}
