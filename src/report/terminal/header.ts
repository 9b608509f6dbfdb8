// The header of a run on a terminal: five lines of 80 columns, whatever the plan.
import { capsInForce } from '../../event/caps.ts';
import type { Event } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { formatAgent } from '../events/format-run.ts';
import { formatAmount } from '../text/amount.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { type Line, span, spanned } from '../text/line.ts';
import { cutToWidth, widthOf } from '../text/width.ts';
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
  const { started } = state;
  const { title, plan, planning, review, planPlace } = started;
  const kind = planning ? 'Planning: ' : review?.plan ? 'Review: ' : review ? '' : 'Plan: ';
  const own = planning || review ? review?.plan : plan;
  const file = own === undefined ? '' : `  ${own}${planPlace === 'outside' ? ' (never committed)' : ''}`;
  const head = `${kind}${title}`;
  const isShort = widthOf(head) + widthOf(file) <= columns;
  return [
    spanned('head', [span('head', cutToWidth(head, columns)), ...(isShort ? [span('dim', file)] : [])]),
    ...tasksLine(state),
    ...(state.resumes > 0 ? [] : [placeLine(state), ...limitsLine(state), ...abnormalLine(state)]),
  ];
}

function tasksLine(state: RunState): readonly Line[] {
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
  const parts = counts.flatMap(([count, words], at) => (count > 0 || at === 0 ? [words] : []));
  const none = all === 0 ? [span('warn', ' · no check: every task will be unchecked')] : [];
  return [spanned('plain', [parts.join(' · '), ...none], 1)];
}

function placeLine({ started, branchFrom }: RunState): Line {
  const { branch, base, planning, worktree } = started;
  const at = `${planning ? 'read ' : ''}at ${shortOid(base)}`;
  const about = [
    branchFrom === undefined ? at : 'new',
    ...(planning ? ['not changed'] : []),
    ...(worktree ? ['own checkout'] : []),
  ];
  const where = cutToWidth(branch === '' ? 'no branch' : branch, columns / 2);
  return spanned('plain', [where, span('dim', ` (${about.join(', ')})`), ` · ${formatAgent(started)}`], 1);
}

function limitsLine({ started, caps }: RunState): readonly Line[] {
  const { planning, review, reviews, reviewSessions } = started;
  const money = capsInForce(caps).find(({ budget }) => budget === 'cost' || budget === 'day');
  const cap = money ? `cap ${formatAmount(money.budget, money.cap)}` : 'no cost limit';
  const sessions = reviewSessions ? ` (${reviewSessions.quiet}–${reviewSessions.withFixes} sessions)` : '';
  const told =
    planning || review ? [] : [`review: ${reviews === undefined ? 'none' : reviews.join(', ')}${sessions}`];
  return [spanned('plain', [[cap, ...told].join(' · ')], 1)];
}

function abnormalLine({ started }: RunState): readonly Line[] {
  const { billing, scripted, permissions, sandbox, trusted } = started;
  const parts = [
    ...(permissions === 'bypass' && sandbox === undefined ? ['no sandbox'] : []),
    ...(trusted ? [] : ['not trusted']),
    ...(scripted ? [] : (billing.match(unusualBilling) ?? []).map((text) => text.replace(/^by/, 'API by'))),
  ];
  if (parts.length === 0) return [];
  return [spanned('warn', [span('warn', parts.map((text) => `! ${text}`).join(' · '))], 1)];
}

/** Of what a login's judgement says. */
const unusualBilling = /^no login found|\w+ is set and left out|by way of \S+/g;
