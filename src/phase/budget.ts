// Whether another session or correction may be paid for, read from the journal. Pure.
import type { Config } from '../config/schema.ts';
import { spentBy } from '../journal/ledger.ts';
import type { RunState } from '../journal/state.ts';

/** Sessions a run may start when no cap is set. */
export function defaultMaxSessions(tasks: number): number {
  return 5 * tasks + 20;
}

/** Why nothing more may be spent; undefined while there is room. `newSession`: one more session would be started. */
export function findOverspend(
  state: RunState,
  budgets: Config['budgets'],
  newSession: boolean,
): string | undefined {
  const spent = spentBy(state);
  if (budgets.maxCost !== undefined && spent.costUsd >= budgets.maxCost) {
    return `$${spent.costUsd.toFixed(2)} of $${budgets.maxCost.toFixed(2)} are spent`;
  }
  const maxSessions = budgets.maxSessions ?? defaultMaxSessions(state.tasks.size);
  if (newSession && spent.sessions >= maxSessions)
    return `${spent.sessions} of ${maxSessions} sessions are used`;
  return undefined;
}

/** US dollars a session may still spend; undefined without a cap. */
export function restOfBudget(state: RunState, budgets: Config['budgets']): number | undefined {
  if (budgets.maxCost === undefined) return undefined;
  return Math.max(0.01, budgets.maxCost - spentBy(state).costUsd);
}
