// Decides from the journal whether more may be paid for. Pure; spending.ts acts on it.

import type { Agent } from '../../agent/agent.ts';
import { budgetKeys } from '../../config/merge.ts';
import type { Stage } from '../../config/stages.ts';
import { commandAgain } from '../../event/again.ts';
import { type Cap, type Caps, capsInForce } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import type { Today } from '../../journal/day.ts';
import { countTokens, spentBy, spentSince, timeTaken } from '../../journal/ledger.ts';
import type { RunState, SessionState } from '../../journal/state.ts';
import type { Task } from '../../plan/plan.ts';
import { type Budget, formatOverspend, formatRest, type Overspend } from './overspend.ts';

export function defaultMaxSessions(
  tasks: number,
  stages: readonly Pick<Stage, 'reviewers' | 'rounds'>[] = [],
): number {
  const reviews = stages.map(({ reviewers, rounds }) => rounds * (2 * reviewers.length + 3));
  return 5 * tasks + 20 + reviews.reduce((sum, each) => sum + each, 0);
}

export type Spending = Readonly<{
  /** Epoch milliseconds. */
  now: number;
  /** Needed only with a cap for the day. */
  today?: Today | undefined;
  task?: Task | undefined;
}>;

/** In the order of the header; the task's own comes last. */
export function listBudgets(state: RunState, spending: Spending): readonly Budget[] {
  const run = capsInForce(state.caps).flatMap((cap) => measure(state, cap, spending) ?? []);
  const { task } = spending;
  const own = task && dollarsOf(task);
  if (task === undefined || own === undefined) return run;
  const spent = dollarsBy(state, isOf(task));
  return [...run, { budget: 'task', task: task.id, ...spent, cap: own, from: 'plan' }];
}

function measure(state: RunState, { budget, cap, from }: Cap, spending: Spending): Budget | undefined {
  switch (budget) {
    case 'cost':
      return { budget, cap, from, ...dollarsBy(state) };
    case 'day': {
      if (!spending.today) return undefined;
      const { day, sinceMs, elsewhere } = spending.today;
      const here = spentSince(state, sinceMs);
      const spent = here.costUsd + elsewhere.costUsd;
      return { budget, day, cap, from, spent, atLeast: here.atLeast || elsewhere.atLeast };
    }
    case 'tokens': {
      const { tokens, atLeast } = spentBy(state);
      return { budget, cap, from, spent: tokens ? countTokens(tokens) : 0, atLeast };
    }
    case 'time':
      return { budget, cap, from, spent: timeTaken(state, spending.now), atLeast: false };
    case 'sessions':
      return { budget, cap, from, spent: countSessions(state), atLeast: false };
  }
}

/** Sessions that could not reach the service do not count: an outage would use up the cap. */
function countSessions({ sessions }: RunState): number {
  const counted = [...sessions.values()].filter(
    ({ ended, costUsd = 0 }) => ended?.outcome !== 'overloaded' || costUsd > 0,
  );
  return counted.length;
}

/** Why nothing more may be spent; undefined while there is room. A correction starts no session. */
export function findOverspend(
  state: RunState,
  spending: Spending & Readonly<{ newSession: boolean }>,
): Overspend | undefined {
  const spent = listBudgets(state, spending).find(
    (one) => one.spent >= one.cap && (one.budget !== 'sessions' || spending.newSession),
  );
  return spent && formatOverspend(spent, (options) => commandAgain(state, options));
}

/** What is to be reported: a budget once from 80 % on, and once when spent. */
export function listReached(state: RunState, spending: Spending): readonly FactOf<'budget-reached'>[] {
  return listBudgets(state, spending).flatMap(({ from: _, ...one }) => {
    const share = one.spent >= one.cap ? 1 : one.spent >= 0.8 * one.cap ? 0.8 : undefined;
    if (share === undefined) return [];
    const isTold = state.budgetsReached.some(
      (told) =>
        told.budget === one.budget &&
        told.task === one.task &&
        told.day === one.day &&
        told.cap === one.cap &&
        told.share >= share,
    );
    return isTold ? [] : [{ type: 'budget-reached' as const, ...one, share }];
  });
}

export type EndOfTime = Readonly<{ at: number; cap: string; hint: string }>;

export function endOfTime(state: RunState, nowMs: number): EndOfTime | undefined {
  const time = listBudgets(state, { now: nowMs }).find(({ budget }) => budget === 'time');
  if (!time) return undefined;
  const { hint } = formatOverspend(time, (options) => commandAgain(state, options));
  return { at: nowMs + time.cap - time.spent, cap: formatRest(time), hint };
}

/** US dollars; lint has accepted the text. */
function dollarsOf({ budget }: Task): number | undefined {
  return budget === undefined ? undefined : Number(budget.replace(/^\$/, ''));
}

function dollarsBy(
  state: RunState,
  filter?: (session: SessionState) => boolean,
): { spent: number; atLeast: boolean } {
  const { costUsd = 0, atLeast } = spentBy(state, filter);
  return { spent: costUsd, atLeast };
}

export function isOf(task: Task): (session: SessionState) => boolean {
  return ({ started }) => started.task === task.id;
}

/** The first cap that could be exceeded unnoticed; undefined if all can be enforced. */
export function findBlind(
  { name, can }: Pick<Agent, 'name' | 'can'>,
  { settings, asked }: Caps,
): Readonly<{ reason: string }> | undefined {
  const cap = [...settings, ...asked].find((one) => isBlindTo(can, one));
  if (!cap) return undefined;
  const unit = cap.budget === 'tokens' ? 'how many tokens it uses' : 'what it costs';
  const what = `${budgetKeys[cap.budget]} (${cap.from})`;
  return { reason: `${what} cannot be enforced: the agent ${name} does not report ${unit}` };
}

function isBlindTo(can: Agent['can'], { budget }: Cap): boolean {
  switch (budget) {
    case 'cost':
    case 'day':
      return !can.cost;
    case 'tokens':
      return !can.usage;
    case 'time':
    case 'sessions':
      return false;
  }
}
