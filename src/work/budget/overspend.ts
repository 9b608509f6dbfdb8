// Words a spent budget, and the command that continues. Pure.

import { budgetKeys } from '../../config/merge.ts';
import { formatUsd } from '../../dollars.ts';
import type { BudgetName } from '../../event/caps.ts';

export type Overspend = Readonly<{ reason: string; hint: string }>;

/** `again`: the command that continues, with the given options. */
export function formatOverspend(budget: Budget, again: (options: string) => string): Overspend {
  return { reason: formatReason(budget), hint: formatHint(budget, again) };
}

export function formatRest(one: Budget): string {
  const left = amountOf(one, Math.max(0, one.cap - one.spent));
  return `the ${left} that are left of ${amountOf(one, one.cap)} (${one.from})`;
}

function formatReason(one: Budget): string {
  const amounts = `${one.atLeast ? 'at least ' : ''}${amountOf(one, one.spent)} of ${amountOf(one, one.cap)}`;
  const whose = one.from === 'default' || one.budget === 'task' ? '' : ` (${one.from})`;
  switch (one.budget) {
    case 'cost':
      return `${amounts} are spent${whose}`;
    case 'day':
      return `${amounts} of the day are spent${whose}`;
    case 'task':
      return `task ${one.task}: ${amounts} are spent (its budget in the plan)`;
    case 'tokens':
      return `${amounts} tokens are used${whose}`;
    case 'time':
      return `${amounts} are over${whose}`;
    case 'sessions':
      return `${amounts} sessions are used${whose}`;
  }
}

function formatHint(one: Budget, again: (options: string) => string): string {
  const run = (flag = '') => `\`${again(flag)}\``;
  if (one.budget === 'task')
    return `Raise \`budget:\` of task ${one.task} in the plan, then ${run()} continues.`;
  const tomorrow = one.budget === 'day' ? `Tomorrow ${run()} continues by itself. ` : '';
  if (isSetting(one.from)) {
    const key = budgetKeys[one.budget];
    return `${tomorrow}The cap is ${key} in ${one.from}, and a flag can only lower it: raise it there, then ${run()} continues.`;
  }
  const flag = `${flags[one.budget]}${nextOf(one)} `;
  return `${tomorrow}${run(flag)} raises the cap and continues.`;
}

const flags = {
  cost: '--max-cost ',
  day: '--set budgets.day=',
  tokens: '--set budgets.maxTokens=',
  time: '--max-time ',
  sessions: '--set budgets.maxSessions=',
} as const;

/** A file or variable, which a flag can only lower. */
function isSetting(from: string): boolean {
  return from !== 'default' && !from.startsWith('--') && !from.startsWith('pawl ');
}

function nextOf({ budget, cap, spent }: Budget): string {
  const next = Math.max(cap, spent) * 1.5;
  if (budget === 'time') return formatTime(next);
  if (budget === 'tokens' || budget === 'sessions' || next >= 2) return `${Math.ceil(next)}`;
  return (Math.ceil(next * 100) / 100).toFixed(2);
}

function amountOf({ budget }: Budget, amount: number): string {
  if (budget === 'time') return formatTime(amount);
  if (budget === 'tokens' || budget === 'sessions') return `${amount}`;
  return formatUsd(amount);
}

/** As the settings accept it: 90s, 45m, 4h. */
function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 300) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  return minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

export type Budget = Readonly<{
  budget: BudgetName | 'task';
  task?: string;
  day?: string;
  spent: number;
  cap: number;
  /** `spent` is a lower bound. */
  atLeast: boolean;
  from: string;
}>;
