// Budgets and times in words.
import { formatUsd } from '../../dollars.ts';
import type { BudgetName, Cap } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import type { RunTimes, Spent } from '../../journal/ledger.ts';
import { formatCost, formatCount, formatMs, formatTokens } from './figure.ts';

/** In one row: `at most $20.00 (--max-cost), 35 sessions`. */
export function formatCaps(caps: readonly Cap[]): string {
  const words = caps.map(
    ({ budget, cap, from }) => `${formatAmount(budget, cap)}${from === 'default' ? '' : ` (${from})`}`,
  );
  const hasDollars = caps.some(({ budget }) => budget === 'cost' || budget === 'day');
  const atMost = words.length === 0 ? [] : [`at most ${words.join(', ')}`];
  return [...(hasDollars ? [] : ['no cost limit']), ...atMost].join(', ');
}

export function formatAmount(budget: BudgetName | 'task', amount: number): string {
  switch (budget) {
    case 'cost':
    case 'task':
      return formatUsd(amount);
    case 'day':
      return `${formatUsd(amount)} a day`;
    case 'tokens':
      return `${formatTokens(amount)} tokens`;
    case 'time':
      return formatMs(amount);
    case 'sessions':
      return formatCount(amount, 'session');
  }
}

export function formatReached(fact: FactOf<'budget-reached'>): string {
  const { budget, task, share, spent, cap, atLeast } = fact;
  const of = budget === 'task' ? `of task ${task ?? ''}` : budgetNames[budget];
  const amounts = `${atLeast ? 'at least ' : ''}${formatAmount(budget, spent)} of ${formatAmount(budget, cap)}`;
  return share === 1
    ? `The budget ${of} is spent: ${amounts}; nothing new starts`
    : `${Math.floor((100 * spent) / cap)}% of the budget ${of} is spent: ${amounts}`;
}

const budgetNames: Readonly<Record<BudgetName, string>> = {
  cost: 'of this run',
  day: 'of the day',
  tokens: 'of tokens',
  time: 'of time',
  sessions: 'of sessions',
};

export function formatTimes(ms: RunTimes): string {
  const isAtOnce = ms.working + ms.checking + ms.own > ms.atWork;
  const work = listTimes([
    [ms.working, 'in sessions'],
    [ms.checking, `in checks${isAtOnce ? ', some at once' : ''}`],
    [ms.own, 'in pawl itself'],
  ]);
  const besides = listTimes([
    [ms.waiting, 'waiting'],
    [ms.paused, 'paused'],
    [ms.stopped, 'stopped'],
  ]);
  const atWork = `${formatMs(ms.atWork)} at work${isAtOnce ? ' by the clock' : ''}`;
  return `${atWork}${work && `: ${work}`}${besides && `; besides ${besides}`}`;
}

function listTimes(spans: readonly (readonly [ms: number, what: string])[]): string {
  return spans
    .filter(([ms]) => ms > 0)
    .map(([ms, what]) => `${formatMs(ms)} ${what}`)
    .join(', ');
}

export function formatSpent({ sessions, ...cost }: Spent): string {
  return sessions === 0 ? 'nothing' : `${formatCost(cost)} in ${formatCount(sessions, 'session')}`;
}
