// Formats the budgets of a run: caps, who set them, and what is spent.
import { formatUsd } from '../../dollars.ts';
import { type BudgetName, type Cap, type Caps, capsInForce } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import { formatCount, formatMs, formatTokens } from '../text/figure.ts';
import { labelled, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const budgetFormats = {
  'budgets-set': (fact, _how, { state }) => {
    const words = formatCaps(capsInForce(fact));
    // Emitted again at every start: a reader wants only what is new.
    const isTold = state !== undefined && isSet(state.caps) && formatCaps(capsInForce(state.caps)) === words;
    return isTold ? [] : [labelled('plain', 'budget', words)];
  },
  'budget-reached': (fact) => [line('warn', formatReached(fact))],
} satisfies Formats;

function isSet({ settings, asked }: Caps): boolean {
  return settings.length + asked.length > 0;
}

/** In one row: `at most $20.00 (--max-cost), 35 sessions`. */
export function formatCaps(caps: readonly Cap[]): string {
  const words = caps.map((cap) => `${formatCap(cap)}${cap.from === 'default' ? '' : ` (${cap.from})`}`);
  const hasDollars = caps.some(({ budget }) => budget === 'cost' || budget === 'day');
  const atMost = words.length === 0 ? [] : [`at most ${words.join(', ')}`];
  return [...(hasDollars ? [] : ['no cost limit']), ...atMost].join(', ');
}

function formatCap({ budget, cap }: Cap): string {
  return `${formatAmount(budget, cap)}${budget === 'day' ? ' per day' : ''}`;
}

export function formatAmount(budget: BudgetName | 'task', amount: number): string {
  switch (budget) {
    case 'cost':
    case 'day':
    case 'task':
      return formatUsd(amount);
    case 'tokens':
      return `${formatTokens(amount)} tokens`;
    case 'time':
      return formatMs(amount);
    case 'sessions':
      return formatCount(amount, 'session');
  }
}

export function formatReached(fact: FactOf<'budget-reached'>): string {
  const { budget, share, spent, cap } = fact;
  const atLeast = fact.atLeast ? 'at least ' : '';
  const amounts = `${atLeast}${formatAmount(budget, spent)} of ${formatAmount(budget, cap)}`;
  return share === 1
    ? `The budget ${ofWhat(fact)} is spent: ${amounts}; nothing new starts`
    : `${Math.floor((100 * spent) / cap)}% of the budget ${ofWhat(fact)} is spent: ${amounts}`;
}

function ofWhat({ budget, task, day }: FactOf<'budget-reached'>): string {
  switch (budget) {
    case 'cost':
      return 'of this run';
    case 'day':
      return `of the day${day === undefined ? '' : ` (${day})`}`;
    case 'task':
      return `of task ${task ?? ''}`;
    case 'tokens':
      return 'of tokens';
    case 'time':
      return 'of time';
    case 'sessions':
      return 'of sessions';
  }
}
