// What a run cost, how long it took, and how often a person had to act.
import { readTimes, spentBy } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import { formatTimes } from '../text/amount.ts';
import { type Block, plain } from '../text/block.ts';
import { formatCost, formatCount, formatSpentTokens } from '../text/figure.ts';
import type { ReportOptions } from './report-work.ts';
import type { RunView } from './run-view.ts';

export function costBlocks(
  state: RunState,
  { apiEquivalent, spent }: RunView,
  { until = state.lastAt }: ReportOptions,
): readonly Block[] {
  const { resumes, sessions, interventions, lanesUsed } = state;
  const label = apiEquivalent === undefined ? '' : ` (${apiEquivalent})`;
  const cost =
    spent.sessions === 0
      ? 'no session was started'
      : `${formatCost(spent).replace('cost unknown', 'unknown')}${label} in ${formatCount(spent.sessions, 'session')}`;
  const agents = [...new Set([...sessions.values()].map(({ started }) => started.agent))];
  const { whole, atWorkMs } = readTimes(state, until);
  const starts = resumes === 0 ? '' : `; in ${resumes + 1} starts`;
  const lanes = lanesUsed.size === 0 ? '' : `; in ${formatCount(lanesUsed.size, 'lane')}`;
  return [
    plain(`Cost: ${cost}`),
    ...(agents.length < 2 ? [] : agents.map((agent) => plain(`${agent}: ${costOf(state, agent)}`))),
    plain(`Time: ${formatTimes(whole, atWorkMs)}${starts}${lanes}`),
    ...(interventions.length === 0
      ? []
      : [
          plain(
            `A person acted ${interventions.length === 1 ? 'once' : `${interventions.length} times`}: pawl stats`,
          ),
        ]),
  ];
}

function costOf(state: RunState, agent: string): string {
  const spent = spentBy(state, ({ started }) => started.agent === agent);
  const tokens = spent.tokens ? `, ${formatSpentTokens(spent, ({ output }) => output)} output tokens` : '';
  return `${formatCost(spent)}${tokens} in ${formatCount(spent.sessions, 'session')}`;
}
