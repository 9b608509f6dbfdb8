// The header of a run on a terminal, before it begins: five lines of 80 columns, whatever the plan.
import { capsInForce } from '../../event/caps.ts';
import type { Event } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { cutToWidth, widthOf } from '../../width.ts';
import { formatAgent } from '../events/format-run.ts';
import { formatAmount, formatCount, shortOid } from '../text/figure.ts';
import { type Line, span, spanned } from '../text/line.ts';
import { countTasks } from '../view/works.ts';

export const headerTypes: ReadonlySet<Event['type']> = new Set([
  'run-started',
  'plan-read',
  'plan-committed',
  'branch-created',
  'budgets-set',
]);

/** A terminal's usual width; the indent is wider than what a cut saves. */
const columns = 78;

/** Of a resumed run only what it is and what is left. */
export function headerLines(state: RunState): readonly Line[] {
  const { started, resumes } = state;
  const what = [titleLine(started), ...countLine(state)];
  if (resumes > 0) return what;
  const where = cutToWidth(started.branch === '' ? 'no branch' : started.branch, columns / 2);
  const alarm = unusualOf(state).map((text) => `! ${text}`);
  return [
    ...what,
    spanned(
      'plain',
      [where, span('dim', ` (${aboutBranch(state).join(', ')})`), ` · ${formatAgent(started.ground)}`],
      1,
    ),
    spanned('plain', [limitsOf(state).join(' · ')], 1),
    ...(alarm.length === 0 ? [] : [spanned('warn', [span('warn', alarm.join(' · '))], 1)]),
  ];
}

/** With what it is, unless it is a review of no plan, and the plan if there is room. */
function titleLine({ title, plan, planning, review, planPlace }: RunState['started']): Line {
  const kind = planning ? 'Planning: ' : review?.plan ? 'Review: ' : review ? '' : 'Plan: ';
  const own = planning || review ? review?.plan : plan;
  const file = own === undefined ? '' : `  ${own}${planPlace === 'outside' ? ' (never committed)' : ''}`;
  const whole = `${kind}${title}`;
  const isShort = widthOf(whole) + widthOf(file) <= columns;
  return spanned('head', [span('head', cutToWidth(whole, columns)), ...(isShort ? [span('dim', file)] : [])]);
}

function countLine(state: RunState): readonly Line[] {
  const { plan, started } = state;
  if (!plan) return [];
  const { tasks, checks = [], outside = [] } = plan;
  const yours = tasks.filter(({ closed, steps, manual }) => closed && steps > 0 && manual.length === steps);
  const manual = tasks.reduce((sum, task) => sum + task.manual.length, 0);
  const all = tasks.reduce((sum, task) => sum + (task.checks ?? []).length, checks.length);
  const counts: readonly (readonly [number, string])[] = [
    [tasks.length, `${formatCount(tasks.length, 'task')}, ${countTasks(state).closed - yours.length} closed`],
    [manual, `${formatCount(manual, 'manual step')} for you`],
    [all, formatCount(all, 'check')],
    [outside.length, `${formatCount(outside.length, 'open box', 'open boxes')} outside tasks`],
    [started.untracked.length, formatCount(started.untracked.length, 'untracked file')],
  ];
  const told = counts.flatMap(([count, words], at) => (count > 0 || at === 0 ? [words] : []));
  const none = all === 0 ? [span('warn', ' · no check: every task will be unchecked')] : [];
  return [spanned('plain', [told.join(' · '), ...none], 1)];
}

function aboutBranch({ started, branchFrom }: RunState): readonly string[] {
  const { base, planning, worktree } = started;
  const at = `${planning ? 'read ' : ''}at ${shortOid(base)}`;
  return [
    branchFrom === undefined ? at : 'new',
    ...(planning ? ['not changed'] : []),
    ...(worktree ? ['own checkout'] : []),
  ];
}

function limitsOf({ started, caps }: RunState): readonly string[] {
  const { planning, review } = started;
  const { reviews, reviewSessions } = started.ground;
  const money = capsInForce(caps).find(({ budget }) => budget === 'cost' || budget === 'day');
  const cap = money ? `cap ${formatAmount(money.budget, money.cap)}` : 'no cost limit';
  const sessions = reviewSessions ? ` (${reviewSessions.quiet}–${reviewSessions.withFixes} sessions)` : '';
  const told =
    planning || review ? [] : [`review: ${reviews === undefined ? 'none' : reviews.join(', ')}${sessions}`];
  return [cap, ...told];
}

function unusualOf({ started: { ground } }: RunState): readonly string[] {
  const { billing, permissions, sandbox, trusted } = ground;
  return [
    ...(permissions === 'bypass' && sandbox === undefined ? ['no sandbox'] : []),
    ...(trusted ? [] : ['not trusted']),
    ...(billing.match(unusualBilling) ?? []).map((text) => text.replace(/^by/, 'API by')),
  ];
}

/** Of what a login's judgement says. */
const unusualBilling = /^no login found|\w+ is set and left out|by way of \S+/g;
