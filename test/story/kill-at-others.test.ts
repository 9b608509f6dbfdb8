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
  const facts = 'stage-started|review-round-started|opinion-given|fix-planned|findings-answered|fix-ended';
  const only = new RegExp(`^(${facts}|review-round-ended|stage-ended): \\w+ .*#1 @before$`);
  await expectSame({ ...reviewed, only }, { chains: 1, kinds: ['journal', 'git', 'file'] });
});

test('ended by a signal at every fact', slow, async () => {
  const scenario = { ...threeTasks, only: /^(?!restart).*: journal .*@before$/ };
  await expectSame(scenario, { chains: 1, signals: ['SIGTERM', 'SIGINT', 'SIGHUP'], kinds: ['journal'] });
});
