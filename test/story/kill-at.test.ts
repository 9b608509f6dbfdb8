// A shard of `npm run soak`: pawl killed at durable effects of a run; each time tree, plan, commits, money and processes are
// those of a run that nobody killed.
import { expect, test } from 'vitest';
import { threeTasks } from '../soak/scenarios.ts';
import { formatTried, tryEverything } from '../soak/try.ts';

/** Of each kind, before and during it: as the run begins, in an attempt, in a close, at the end. */
const effects: readonly string[] = [
  'start: file write trust.json#1 @during',
  'phase-started: git rescue point#1 @before',
  'task-started: journal attempt-started#1 @before',
  'closing: git commit#1 @during',
  'run-ended: file remove Nsock#1 @before',
];

test('killed at effects, of each kind before and during', { timeout: 300_000 }, async () => {
  const only = new RegExp(`^(?:${effects.join('|')})$`);
  const tried = await tryEverything({ ...threeTasks, only }, { chains: 1 });
  process.stdout.write(`${formatTried(tried)}\n`);
  expect(tried.differences, formatTried(tried)).toEqual([]);
  expect([...tried.killed].sort()).toEqual([...effects].sort());
});
