// A shard of `npm run soak`: pawl killed at durable effects of two scenarios; each time tree, plan, commits, money and
// processes are those of a run that nobody killed.
import { expect, test } from 'vitest';
import { lanesReviewed, threeTasks } from '../soak/scenarios.ts';
import type { Scenario } from '../soak/stage.ts';
import { formatTried, tryEverything } from '../soak/try.ts';

const slow = { timeout: 300_000 };

/** The scenarios, and which of the effects' names are tried in them: the same ones each time. */
const shards: readonly (readonly [Scenario, string])[] = [
  [threeTasks, '16/32'],
  [lanesReviewed, '11/192'],
];

test('killed at effects, of each kind before and during', slow, async () => {
  const killed: string[] = [];
  for (const [scenario, shard] of shards) {
    const tried = await tryEverything(scenario, { chains: 1, shard });
    process.stdout.write(`${formatTried(tried)}\n`);
    expect(tried.differences, formatTried(tried)).toEqual([]);
    killed.push(...tried.killed);
  }
  const kinds = killed.map((name) => /: (journal|git|file) .* @(\w+)$/.exec(name)?.slice(1).join(' '));
  expect([...new Set(kinds)].sort()).toEqual([
    'file before',
    'file during',
    'git before',
    'git during',
    'journal before',
  ]);
});
