// Whether another session or correction may be paid for, read from the journal. Pure.
import type { Config } from '../config/schema.ts';
import { countTokens, spentBy } from '../journal/ledger.ts';
import type { RunState, SessionState } from '../journal/state.ts';
import type { Task } from '../plan/plan.ts';

/** Sessions a run may start when no cap is set. */
export function defaultMaxSessions(tasks: number): number {
  return 5 * tasks + 20;
}

/** What is about to be paid for. `now`: epoch milliseconds. */
export type Spending = Readonly<{ task: Task; newSession: boolean; now: number }>;

/** Why nothing more may be spent; undefined while there is room. */
export function findOverspend(
  state: RunState,
  budgets: Config['budgets'],
  { task, newSession, now }: Spending,
): string | undefined {
  const spent = spentBy(state);
  const { maxCost, maxTokens, maxTime, maxSessions = defaultMaxSessions(state.tasks.size) } = budgets;
  if (maxCost !== undefined && spent.costUsd >= maxCost) return wordDollars(spent.costUsd, maxCost);
  const own = dollarsOf(task);
  const ownSpent = spentBy(state, isOf(task)).costUsd;
  if (own !== undefined && ownSpent >= own) return `task ${task.id}: ${wordDollars(ownSpent, own)}`;
  const tokens = countTokens(spent.tokens);
  if (maxTokens !== undefined && tokens >= maxTokens) return `${tokens} of ${maxTokens} tokens are used`;
  const minutes = Math.round((now - Date.parse(state.started.at) - state.stoppedMs) / 60_000);
  if (maxTime !== undefined && minutes * 60_000 >= maxTime)
    return `${minutes} of ${Math.round(maxTime / 60_000)} minutes are over`;
  if (newSession && spent.sessions >= maxSessions)
    return `${spent.sessions} of ${maxSessions} sessions are used`;
  return undefined;
}

/** US dollars a session of the task may still spend; undefined without a cap. */
export function restOfBudget(state: RunState, budgets: Config['budgets'], task: Task): number | undefined {
  const own = dollarsOf(task);
  const rests = [
    ...(budgets.maxCost === undefined ? [] : [budgets.maxCost - spentBy(state).costUsd]),
    ...(own === undefined ? [] : [own - spentBy(state, isOf(task)).costUsd]),
  ];
  return rests.length === 0 ? undefined : Math.max(0.01, Math.min(...rests));
}

/** A task's `budget:` as lint has accepted it. */
function dollarsOf({ budget }: Task): number | undefined {
  return budget === undefined ? undefined : Number(budget.replace(/^\$/, ''));
}

function isOf(task: Task): (session: SessionState) => boolean {
  return ({ started }) => started.task === task.id;
}

function wordDollars(spent: number, cap: number): string {
  return `$${spent.toFixed(2)} of $${cap.toFixed(2)} are spent`;
}
