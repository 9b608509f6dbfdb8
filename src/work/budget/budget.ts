// Decides from the journal whether more may be paid for, and words a spent budget. Pure; spending.ts acts on it.
import type { Agent } from '../../agent/agent.ts';
import { budgetKeys } from '../../config/layer.ts';
import type { Stage } from '../../config/stages.ts';
import { formatUsd } from '../../dollars.ts';
import { commandAgain } from '../../event/again.ts';
import { type BudgetName, type Cap, type Caps, capsInForce } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import type { Today } from '../../journal/day.ts';
import { countTokens, readLedger, type Spent, spentSince, timeTaken } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import type { Task } from '../../plan/plan.ts';

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
  /** Asked only with a cap for the day. */
  today?: () => Today;
  task?: Task | undefined;
}>;

/** In the order of the header; the task's own comes last. */
export function listBudgets(state: RunState, spending: Spending): readonly Budget[] {
  const run = capsInForce(state.caps).flatMap((cap) => measure(state, cap, spending) ?? []);
  const { task } = spending;
  if (task?.budget === undefined) return run;
  // US dollars; lint has accepted the text.
  const own = Number(task.budget.replace(/^\$/, ''));
  const spent = dollarsOf(readLedger(state).byWork.get(task.id)?.spent);
  return [...run, { budget: 'task', task: task.id, ...spent, cap: own, from: 'plan' }];
}

function measure(state: RunState, { budget, cap, from }: Cap, spending: Spending): Budget | undefined {
  const one = { budget, cap, from };
  switch (budget) {
    case 'cost':
      return { ...one, ...dollarsOf(readLedger(state).spent) };
    case 'day': {
      if (!spending.today) return undefined;
      const { day, sinceMs, elsewhere } = spending.today();
      const here = spentSince(state, sinceMs);
      const spent = here.costUsd + elsewhere.costUsd;
      return { ...one, day, spent, atLeast: here.atLeast || elsewhere.atLeast };
    }
    case 'tokens': {
      const { tokens, atLeast } = readLedger(state).spent;
      return { ...one, spent: tokens ? countTokens(tokens) : 0, atLeast };
    }
    case 'time':
      return { ...one, spent: timeTaken(state, spending.now), atLeast: false };
    case 'sessions': {
      // Those that could not reach the service do not count: an outage would use up the cap.
      const counted = [...state.sessions.values()].filter(
        ({ ended, costUsd = 0 }) => ended?.outcome !== 'overloaded' || costUsd > 0,
      );
      return { ...one, spent: counted.length, atLeast: false };
    }
  }
}

/** Why nothing more may be spent; undefined while there is room. A correction starts no session. */
export function findOverspend(
  state: RunState,
  spending: Spending & Readonly<{ newSession: boolean }>,
): Overspend | undefined {
  const spent = listBudgets(state, spending).find(
    (one) => one.spent >= one.cap && (one.budget !== 'sessions' || spending.newSession),
  );
  return spent && formatOverspend(spent, state);
}

/** What is to be reported: a budget once from 80 % on, and once when spent. */
export function listReached(state: RunState, spending: Spending): readonly FactOf<'budget-reached'>[] {
  return listBudgets(state, spending).flatMap(({ from: _, ...one }) => {
    const share = one.spent >= one.cap ? 1 : one.spent >= 0.8 * one.cap ? 0.8 : undefined;
    if (share === undefined) return [];
    const isTold = state.budgetsReached.some(
      (told) => told.share >= share && sameBudget.every((key) => told[key] === one[key]),
    );
    return isTold ? [] : [{ type: 'budget-reached' as const, ...one, share }];
  });
}

const sameBudget = ['budget', 'task', 'day', 'cap'] as const;

export type EndOfTime = Readonly<{ at: number; cap: string; hint: string }>;

export function endOfTime(state: RunState, nowMs: number): EndOfTime | undefined {
  const time = listBudgets(state, { now: nowMs }).find(({ budget }) => budget === 'time');
  if (!time) return undefined;
  const { hint } = formatOverspend(time, state);
  const left = formatTime(Math.max(0, time.cap - time.spent));
  const cap = `the ${left} that are left of ${formatTime(time.cap)} (${time.from})`;
  return { at: nowMs + time.cap - time.spent, cap, hint };
}

function dollarsOf({ costUsd = 0, atLeast = false }: Partial<Spent> = {}): Pick<Budget, 'spent' | 'atLeast'> {
  return { spent: costUsd, atLeast };
}

/** The first cap that could be exceeded unnoticed; undefined if all can be enforced. */
export function findBlind(
  { name, can }: Pick<Agent, 'name' | 'can'>,
  { settings, asked }: Caps,
): Readonly<{ reason: string }> | undefined {
  for (const { budget, from } of [...settings, ...asked]) {
    const { unit } = kinds[budget];
    if (unit === 'usd' ? can.cost : budget !== 'tokens' || can.usage) continue;
    const unseen = unit === 'usd' ? 'what it costs' : 'how many tokens it uses';
    const what = `${budgetKeys[budget]} (${from})`;
    return { reason: `${what} cannot be enforced: the agent ${name} does not report ${unseen}` };
  }
  return undefined;
}

export type Overspend = Readonly<{ reason: string; hint: string }>;

export function formatOverspend(one: Budget, state: Pick<RunState, 'started' | 'carry'>): Overspend {
  const amounts = `${one.atLeast ? 'at least ' : ''}${amountOf(one, one.spent)} of ${amountOf(one, one.cap)}`;
  const of = one.task === undefined ? '' : `task ${one.task}: `;
  const whose = one.from === 'default' || one.budget === 'task' ? '' : ` (${one.from})`;
  const reason = `${of}${amounts} ${kinds[one.budget].spent}${whose}`;
  return { reason, hint: formatHint(one, (options) => `\`${commandAgain(state, options)}\``) };
}

const kinds = {
  cost: { unit: 'usd', spent: 'are spent', raise: '--max-cost ' },
  task: { unit: 'usd', spent: 'are spent (its budget in the plan)', raise: '' },
  day: { unit: 'usd', spent: 'of the day are spent', raise: '--set budgets.day=' },
  tokens: { unit: 'count', spent: 'tokens are used', raise: '--set budgets.maxTokens=' },
  time: { unit: 'time', spent: 'are over', raise: '--max-time ' },
  sessions: { unit: 'count', spent: 'sessions are used', raise: '--set budgets.maxSessions=' },
} as const;

function formatHint(one: Budget, run: (flag?: string) => string): string {
  if (one.budget === 'task')
    return `Raise \`budget:\` of task ${one.task} in the plan, then ${run()} continues.`;
  const tomorrow = one.budget === 'day' ? `Tomorrow ${run()} continues by itself. ` : '';
  // A file or variable, which a flag can only lower.
  if (!/^default$|^--|^pawl /.test(one.from)) {
    const key = budgetKeys[one.budget];
    return `${tomorrow}The cap is ${key} in ${one.from}, and a flag can only lower it: raise it there, then ${run()} continues.`;
  }
  const flag = `${kinds[one.budget].raise}${nextOf(one)} `;
  return `${tomorrow}${run(flag)} raises the cap and continues.`;
}

function nextOf({ budget, cap, spent }: Budget): string {
  const { unit } = kinds[budget];
  const next = Math.max(cap, spent) * 1.5;
  if (unit === 'time') return formatTime(next);
  return unit === 'count' || next >= 2 ? `${Math.ceil(next)}` : (Math.ceil(next * 100) / 100).toFixed(2);
}

function amountOf({ budget }: Budget, amount: number): string {
  const { unit } = kinds[budget];
  if (unit === 'time') return formatTime(amount);
  return unit === 'count' ? `${amount}` : formatUsd(amount);
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
