// Words the budgets of a run: which caps hold and whose word they are, and how much of one is spent.
import { type BudgetName, type Cap, capsInForce } from '../event/budget.ts';
import type { FactOf } from '../event.ts';
import { wordCount, wordMs, wordTokens, wordUsd } from './figure.ts';
import { type Line, labelled, line } from './line.ts';

type BudgetFact = FactOf<'budgets-set'> | FactOf<'budget-reached'>;

/** The lines of one fact about budgets. */
export function wordBudgetFact(fact: BudgetFact): readonly Line[] {
  switch (fact.type) {
    case 'budgets-set':
      return [labelled('plain', 'budget', wordCaps(capsInForce(fact)))];
    case 'budget-reached':
      return [line('warn', wordReached(fact))];
  }
}

/** The caps that hold, in one row: `at most $20.00 (--max-cost), 35 sessions`. */
export function wordCaps(caps: readonly Cap[]): string {
  const words = caps.map((cap) => `${wordCap(cap)}${cap.from === 'default' ? '' : ` (${cap.from})`}`);
  const hasDollars = caps.some(({ budget }) => budget === 'cost' || budget === 'day');
  const atMost = words.length === 0 ? [] : [`at most ${words.join(', ')}`];
  return [...(hasDollars ? [] : ['no cap on the cost']), ...atMost].join(', ');
}

function wordCap({ budget, cap }: Cap): string {
  return `${wordAmount(budget, cap)}${budget === 'day' ? ' in a day' : ''}`;
}

/** An amount of a budget in its own unit. */
export function wordAmount(budget: BudgetName | 'task', amount: number): string {
  switch (budget) {
    case 'cost':
    case 'day':
    case 'task':
      return wordUsd(amount);
    case 'tokens':
      return `${wordTokens(amount)} tokens`;
    case 'time':
      return wordMs(amount);
    case 'sessions':
      return wordCount(amount, 'session');
  }
}

function wordReached(fact: FactOf<'budget-reached'>): string {
  const { budget, share, spent, cap } = fact;
  const atLeast = fact.atLeast ? 'at least ' : '';
  const amounts = `${atLeast}${wordAmount(budget, spent)} of ${wordAmount(budget, cap)}`;
  return share === 1
    ? `The budget ${ofWhat(fact)} is spent: ${amounts}; nothing more is begun`
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
