// What a run cost, how long it took, and how often a person had to act.
import { readLedger, type Spent } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import { formatSpent, formatTimes } from '../text/amount.ts';
import { type Block, plain } from '../text/block.ts';
import { formatCount, formatMs, formatTokens } from '../text/figure.ts';
import type { RunView } from './run-view.ts';

export function costBlocks(state: RunState, { spent, times, apiEquivalent }: RunView): readonly Block[] {
  const { resumes, interventions, lanesUsed } = state;
  const label = apiEquivalent === undefined ? '' : ` (${apiEquivalent})`;
  const agents = [...readLedger(state).byAgent];
  const starts = resumes === 0 ? '' : `; in ${resumes + 1} starts`;
  const lanes = lanesUsed.size === 0 ? '' : `; in ${formatCount(lanesUsed.size, 'lane')}`;
  const acted = interventions.length === 1 ? 'once' : `${interventions.length} times`;
  const every = formatMs(times.atWork / interventions.length);
  return [
    plain(`Spent: ${withTokens(spent)}${label}`),
    ...(agents.length < 2 ? [] : agents.map(([agent, its]) => plain(`${agent}: ${withTokens(its)}`))),
    plain(`Time: ${formatTimes(times)}${starts}${lanes}`),
    ...(interventions.length === 0 ? [] : [plain(`A person acted ${acted}, every ${every} at work`)]),
  ];
}

/** Tokens are a lower bound if a session told none. */
function withTokens(spent: Spent): string {
  const { tokens, tokensAtLeast } = spent;
  if (!tokens) return formatSpent(spent);
  const { input, output, cacheRead, cacheWrite } = tokens;
  const turns = `${formatTokens(input)} input, ${formatTokens(output)} output`;
  const cache = `${formatTokens(cacheRead)} cache read, ${formatTokens(cacheWrite)} cache write`;
  return `${formatSpent(spent)}; ${tokensAtLeast ? 'at least ' : ''}${turns}, ${cache} tokens`;
}
