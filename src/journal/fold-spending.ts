// Folds the run's money: its caps, the warnings given, when dollars were spent, and how full a subscription's windows are.
import type { Fact, FactOf, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';

/** The midnight of every time zone begins a quarter of an hour, so that any day can be summed from these. */
const quarterMs = 15 * 60_000;

/** Changes the run's money after one more fact, before the sessions have taken it. */
export function foldIntoSpending(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'budgets-set':
      draft.caps = { settings: fact.settings, asked: fact.asked };
      return;
    case 'budget-reached':
      draft.budgetsReached = [...draft.budgetsReached, fact];
      return;
    case 'limit-seen':
      foldLimit(draft, fact);
      return;
    case 'session-cost':
    case 'session-ended': {
      const moreUsd = (fact.costUsd ?? 0) - (draft.sessions.get(fact.session)?.costUsd ?? 0);
      if (moreUsd <= 0 || !draft.sessions.has(fact.session)) return;
      const quarter = Math.floor(Date.parse(fact.at) / quarterMs) * quarterMs;
      draft.spentAt = new Map(draft.spentAt).set(quarter, (draft.spentAt.get(quarter) ?? 0) + moreUsd);
      return;
    }
  }
}

/** Two agents may call their windows by the same name. */
function foldLimit(draft: Draft, fact: Stamped<FactOf<'limit-seen'>>): void {
  const agent = draft.sessions.get(fact.session)?.started.agent ?? '';
  draft.limits = new Map(draft.limits).set(`${agent} ${fact.window ?? ''}`, { ...fact, agent });
}
