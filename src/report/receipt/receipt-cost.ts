// What the run cost, and how long it took.
import { spentBy } from '../../journal/ledger.ts';
import { tallyRun } from '../../journal/run-stats.ts';
import type { RunState } from '../../journal/state.ts';
import { formatOutcome } from '../events/format-session.ts';
import { formatTimes } from '../stats/format-stats.ts';
import { type Block, block } from '../text/block.ts';
import { formatCost, formatCount, formatSpentTokens } from '../text/figure.ts';
import { formatEquivalent } from '../text/run-words.ts';
import type { ReceiptOptions } from './receipt-task.ts';

export function costBlocks(state: RunState, options: ReceiptOptions): readonly Block[] {
  return [costBlock(state), ...agentBlocks(state), timeBlock(state, options), ...cutBlocks(state)];
}

function costBlock(state: RunState): Block {
  const spent = spentBy(state);
  const equivalent = formatEquivalent(state);
  const label = equivalent === '' ? '' : ` (${equivalent})`;
  const cost =
    spent.sessions === 0
      ? 'no session was started'
      : `${formatCost(spent).replace('cost unknown', 'unknown')}${label} in ${formatCount(spent.sessions, 'session')}`;
  return item(`Cost: ${cost}`);
}

function agentBlocks(state: RunState): readonly Block[] {
  const { sessions } = state;
  const agents = [...new Set([...sessions.values()].map(({ started }) => started.agent))];
  if (agents.length < 2) return [];
  return agents.map((agent) => {
    const spent = spentBy(state, ({ started }) => started.agent === agent);
    const tokens = spent.tokens ? `, ${formatSpentTokens(spent, ({ output }) => output)} output tokens` : '';
    return item(`${agent}: ${formatCost(spent)}${tokens} in ${formatCount(spent.sessions, 'session')}`);
  });
}

/** Sessions that did not end by themselves. */
function cutBlocks({ sessions }: RunState): readonly Block[] {
  const ends = [...sessions.values()].flatMap(({ ended }) => ended ?? []);
  const words = cutOff.flatMap((outcome) =>
    ends.filter((end) => end.outcome === outcome).map((end) => formatOutcome(end)),
  );
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, { length }]) =>
    length === 1 ? `1 ${word}` : `${length} ${word.replace(/^was /, 'were ')}`,
  );
  return counts.length === 0 ? [] : [item(`Sessions cut off: ${counts.join(', ')}`)];
}

const cutOff = [
  'limited',
  'overloaded',
  'crashed',
  'timed-out',
  'stuck',
  'interrupted',
  'over-budget',
  'refused',
] as const;

function timeBlock(state: RunState, { until }: ReceiptOptions): Block {
  const { resumes } = state;
  const stats = tallyRun(state, until);
  const starts = resumes === 0 ? '' : `; in ${resumes + 1} starts`;
  return item(`Time: ${formatTimes(stats.whole, stats.interventions.atWorkMs)}${starts}`);
}

function item(text: string): Block {
  return block('item', 'plain', text);
}
