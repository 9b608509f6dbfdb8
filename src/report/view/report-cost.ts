// What a run cost, how long it took, and how often a person had to act.
import { readLedger, type Spent } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import { formatTimes } from '../text/amount.ts';
import { type Block, plain } from '../text/block.ts';
import { formatCost, formatCount, formatSpentTokens } from '../text/figure.ts';
import type { RunView } from './run-view.ts';

export function costBlocks(state: RunState, { spent, times, apiEquivalent }: RunView): readonly Block[] {
  const { resumes, interventions, lanesUsed } = state;
  const label = apiEquivalent === undefined ? '' : ` (${apiEquivalent})`;
  const cost =
    spent.sessions === 0
      ? 'no session was started'
      : `${formatCost(spent).replace('cost unknown', 'unknown')}${label} in ${formatCount(spent.sessions, 'session')}`;
  const agents = [...readLedger(state).byAgent];
  const starts = resumes === 0 ? '' : `; in ${resumes + 1} starts`;
  const lanes = lanesUsed.size === 0 ? '' : `; in ${formatCount(lanesUsed.size, 'lane')}`;
  return [
    plain(`Cost: ${cost}`),
    ...(agents.length < 2 ? [] : agents.map(([agent, its]) => plain(`${agent}: ${formatSpent(its)}`))),
    plain(`Time: ${formatTimes(times)}${starts}${lanes}`),
    ...(interventions.length === 0
      ? []
      : [
          plain(
            `A person acted ${interventions.length === 1 ? 'once' : `${interventions.length} times`}: pawl stats`,
          ),
        ]),
  ];
}

function formatSpent(spent: Spent): string {
  const tokens = spent.tokens ? `, ${formatSpentTokens(spent, ({ output }) => output)} output tokens` : '';
  return `${formatCost(spent)}${tokens} in ${formatCount(spent.sessions, 'session')}`;
}
