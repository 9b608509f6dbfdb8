// What is said of a run before it begins: what it is, what is in it, where it works, within what limits.
import { capsInForce } from '../../event/caps.ts';
import type { RunState } from '../../journal/state.ts';
import { formatAgent } from '../events/format-run.ts';
import { formatAmount } from '../text/amount.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { countTasks } from './works.ts';

export type RunHead = Readonly<{
  /** With what it is, unless it is a review of no plan. */
  title: string;
  /** The plan's; empty for a review of no plan. */
  file: string;
  /** Of its plan; empty without one. */
  counts: readonly string[];
  /** Every task will be unchecked. */
  isWithoutCheck: boolean;
  /** It has begun before, and the rest is known. */
  isResumed: boolean;
  /** Empty if HEAD is detached. */
  branch: string;
  aboutBranch: readonly string[];
  agent: string;
  limits: readonly string[];
  /** What a person may not expect. */
  unusual: readonly string[];
}>;

export function viewHead(state: RunState): RunHead {
  const { started, resumes } = state;
  const { title, plan, planning, review, planPlace, branch } = started;
  const kind = planning ? 'Planning: ' : review?.plan ? 'Review: ' : review ? '' : 'Plan: ';
  const own = planning || review ? review?.plan : plan;
  return {
    title: `${kind}${title}`,
    file: own === undefined ? '' : `${own}${planPlace === 'outside' ? ' (never committed)' : ''}`,
    ...countPlan(state),
    isResumed: resumes > 0,
    branch,
    aboutBranch: aboutBranch(state),
    agent: formatAgent(started),
    limits: limitsOf(state),
    unusual: unusualOf(state),
  };
}

function countPlan(state: RunState): Pick<RunHead, 'counts' | 'isWithoutCheck'> {
  const { plan, started } = state;
  if (!plan) return { counts: [], isWithoutCheck: false };
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
  return {
    counts: counts.flatMap(([count, words], at) => (count > 0 || at === 0 ? [words] : [])),
    isWithoutCheck: all === 0,
  };
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
  const { planning, review, reviews, reviewSessions } = started;
  const money = capsInForce(caps).find(({ budget }) => budget === 'cost' || budget === 'day');
  const cap = money ? `cap ${formatAmount(money.budget, money.cap)}` : 'no cost limit';
  const sessions = reviewSessions ? ` (${reviewSessions.quiet}–${reviewSessions.withFixes} sessions)` : '';
  const told =
    planning || review ? [] : [`review: ${reviews === undefined ? 'none' : reviews.join(', ')}${sessions}`];
  return [cap, ...told];
}

function unusualOf({ started }: RunState): readonly string[] {
  const { billing, scripted, permissions, sandbox, trusted } = started;
  return [
    ...(permissions === 'bypass' && sandbox === undefined ? ['no sandbox'] : []),
    ...(trusted ? [] : ['not trusted']),
    ...(scripted ? [] : (billing.match(unusualBilling) ?? []).map((text) => text.replace(/^by/, 'API by'))),
  ];
}

/** Of what a login's judgement says. */
const unusualBilling = /^no login found|\w+ is set and left out|by way of \S+/g;
