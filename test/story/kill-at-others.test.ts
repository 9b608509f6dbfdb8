// `kill -9` of pawl at every durable effect of what is not plain work, a parked task and an undo of either kind, and at a
// sample of those of a review; and signals, which pawl hears, at every fact of a run.
import { test } from 'vitest';
import { expectSame } from '../soak/expect-same.ts';
import { parked, revert, reviewed, threeTasks, undo } from '../soak/scenarios.ts';

const slow = { timeout: 900_000 };

test.each([parked, undo, revert])('killed at every effect: $name', slow, async (scenario) => {
  await expectSame(scenario, { chains: 1, kinds: ['journal', 'git', 'file'] });
});

test('killed in a review, after each of its facts', slow, async () => {
  // The number is that of closed works: the task's, then the mending of what the first round found.
  const before = '1 (stage-started|review-round-started|fix-planned|findings-answered)';
  const after = '2 (fix-ended|opinion-given|review-round-ended|stage-ended)';
  const only = new RegExp(`^(${before}|${after}): \\w+ .*#1 @before$`);
  await expectSame({ ...reviewed, only }, { chains: 1, fine: true, kinds: ['journal', 'git', 'file'] });
});

test('ended by a signal at every fact', slow, async () => {
  const scenario = { ...threeTasks, only: /^(?!restart).*: journal .*@before$/ };
  await expectSame(scenario, { chains: 1, signals: ['SIGTERM', 'SIGINT', 'SIGHUP'], kinds: ['journal'] });
});
