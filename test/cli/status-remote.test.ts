import { expect, test } from 'vitest';
import { chooseShown } from '../../src/cli/status-remote.ts';

const nowMs = Date.UTC(2026, 0, 10);
const run = (name: string, ended: boolean, hours: number) => ({
  ...{ name, ended },
  at: new Date(nowMs - hours * 3_600_000).toISOString(),
});
const runs = [
  run('at work', false, 0),
  run('finished', true, 23),
  run('old', true, 25),
  run('forgotten', false, 500),
];

test.each([
  [false, ['at work', 'finished', 'forgotten'], 1],
  [true, ['at work', 'finished', 'old', 'forgotten'], 0],
])('with --all %s these are shown', (all, names, more) => {
  const chosen = chooseShown(runs, { all, nowMs });
  expect([chosen.shown.map(({ name }) => name), chosen.more]).toEqual([names, more]);
});
