// A shard of `npm run soak`: pawl killed at durable effects of a run; each time tree, plan, commits, money and processes are
// those of a run that nobody killed.
import { expect, test } from 'vitest';
import { threeTasks } from '../soak/scenarios.ts';
import { formatTried, tryEverything } from '../soak/try.ts';

/** One of each kind: as the run begins, in an attempt, in a close. */
const effects: readonly string[] = [
  'start: file write trust.json#1 @during',
  'task-started: journal attempt-started#1 @before',
  'closing: git commit#1 @during',
];

test('killed at effects, one of each kind', async () => {
  const only = new RegExp(`^(?:${effects.join('|')})$`);
  const tried = await tryEverything({ ...threeTasks, only }, { chains: 1 });
  process.stdout.write(`${formatTried(tried)}\n`);
  expect(tried.differences, formatTried(tried)).toEqual([]);
  expect([...tried.killed].sort()).toEqual([...effects].sort());
});
