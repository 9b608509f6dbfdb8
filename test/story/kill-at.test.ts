// A shard of `npm run soak`: pawl killed at durable effects of some scenarios and ended by signals at facts; each time tree,
// plan, commits, money and processes are those of a run that nobody killed. What review-kill, replan-kill and
// finalize tell is not told again.
import { expect, test } from 'vitest';
import { lanesReviewed, parked, threeTasks, undo } from '../soak/scenarios.ts';
import type { Scenario } from '../soak/stage.ts';
import { formatTried, type Tried, tryEverything } from '../soak/try.ts';

const slow = { timeout: 300_000 };

/** The scenarios, and which of the effects' names are tried in them: the same ones each time. */
const shards: readonly (readonly [Scenario, string])[] = [
  [threeTasks, '16/32'],
  [parked, '0/12'],
  [lanesReviewed, '11/96'],
  [undo, '0/24'],
];

function expectSame(tried: Tried): void {
  process.stdout.write(`${formatTried(tried)}\n`);
  expect(tried.differences, formatTried(tried)).toEqual([]);
}

test('killed at effects, of each kind before and during', slow, async () => {
  const killed: string[] = [];
  for (const [scenario, shard] of shards) {
    const tried = await tryEverything(scenario, { chains: 1, shard });
    expectSame(tried);
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

test('ended by a signal at facts', slow, async () => {
  const scenario = { ...threeTasks, only: /^(?!restart).*: journal .*@before$/ };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  expectSame(await tryEverything(scenario, { chains: 1, shard: '0/24', signals }));
});
