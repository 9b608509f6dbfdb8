// How what a plan may take is worded.
import { expect, test } from 'vitest';
import { formatEstimate } from '../../src/report/stats/format-estimate.ts';

const minute = 60_000;
const from = { tasks: 14, runs: 3 };

test.each([
  [
    { ms: { low: 40 * minute, high: 90 * minute }, costUsd: { low: 1.2, high: 3 }, from },
    '40 min to 1 h 30 min and $1.20 to $3.00 for its tasks, going by 14 tasks of 3 runs here; a review comes on top',
  ],
  [
    { ms: { low: 10_000, high: 20_000 }, from: { tasks: 1, runs: 1 } },
    'about 1 min and an unknown cost for its tasks, going by 1 task of 1 run here; a review comes on top',
  ],
  [
    { ms: { low: 119 * minute, high: 183 * minute }, costUsd: { low: 0, high: 0 }, from },
    '2 h to 3 h 5 min and about $0.00 for its tasks, going by 14 tasks of 3 runs here; a review comes on top',
  ],
])('%j', (estimate, words) => {
  expect(formatEstimate(estimate)).toBe(words);
});
