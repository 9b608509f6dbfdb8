import { expect, test } from 'vitest';
import { lackOf } from '../../../src/start/fleet/view.ts';

const box = {
  ...{ name: 'box', repos: ['https://h/team/*'], slots: 2, busy: 0 },
  ...{ says: '', version: '1', ageMs: 0 },
};
const disk = 'no plans are taken: 0.1 GB are free';

test.each<[string, Parameters<typeof lackOf>[1], string | undefined]>([
  ['nobody', [], 'no worker is running: `pawl fleet work` starts one'],
  ['a dead worker', [{ ...box, ageMs: 61_000 }], 'no worker is running: `pawl fleet work` starts one'],
  [
    'a worker of other repositories',
    [{ ...box, repos: ['https://h/other/*'] }],
    'no running worker allows h/team/app (fleet.repos)',
  ],
  ['a worker that can take none', [{ ...box, says: disk }], `box would take it, but ${disk}`],
  ['one of two that can take none', [{ ...box, says: disk }, box], undefined],
  ['busy workers', [{ ...box, busy: 2 }], undefined],
])('a job in the queue, with %s, says what a person must do', (_, workers, wanted) => {
  expect(lackOf({ repo: 'https://h/team/app' }, workers)).toBe(wanted);
});
