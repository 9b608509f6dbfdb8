// `kill -9` of pawl at every durable effect of what is not plain work, a parked task and an undo of either kind; and
// signals, which pawl hears, at every fact of a run.
import { test } from 'vitest';
import { expectSame } from '../soak/expect-same.ts';
import { parked, revert, threeTasks, undo } from '../soak/scenarios.ts';

const slow = { timeout: 900_000 };

test.each([parked, undo, revert])('killed at every effect: $name', slow, async (scenario) => {
  await expectSame(scenario, { chains: 1, kinds: ['journal', 'git', 'file'] });
});

test('ended by a signal at every fact', slow, async () => {
  const scenario = { ...threeTasks, only: /^(?!restart).*: journal .*@before$/ };
  await expectSame(scenario, { chains: 1, signals: ['SIGTERM', 'SIGINT', 'SIGHUP'], kinds: ['journal'] });
});
