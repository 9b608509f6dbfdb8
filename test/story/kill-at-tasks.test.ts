// `kill -9` of pawl at every durable effect of a run of three tasks, before it and in the middle of it, in this life and in
// those that take it up again: tree, plan, commits, money and processes are those of a run that nobody killed.
import { test } from 'vitest';
import { expectSame } from '../soak/expect-same.ts';
import { threeTasks } from '../soak/scenarios.ts';

test('killed at every effect: three tasks', { timeout: 900_000 }, async () => {
  await expectSame(threeTasks, { chains: 2, kinds: ['journal', 'git', 'file'] });
});
