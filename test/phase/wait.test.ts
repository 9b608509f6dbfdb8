// How long a wait is, and when it is no use.
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { planWait } from '../../src/phase/wait.ts';

const { limits } = configSchema.parse({});
const given = { now: 1_000_000, outages: 0, limits, jitter: 0 };
const limit = { kind: 'wait', why: 'limit', reason: 'limit', counts: false } as const;
const overload = { ...limit, why: 'overload' } as const;
const crash = { ...limit, why: 'crash' } as const;

test.each([
  ['until the reset', { ...limit, until: 1_600_000 }, {}, { until: 1_600_000 }],
  ['until the reset and some jitter', { ...limit, until: 1_600_000 }, { jitter: 1 }, { until: 1_630_000 }],
  ['a reset that has passed is tried now', { ...limit, until: 5 }, {}, { until: 1_000_000 }],
  ['an unknown reset is looked at again in 15 min', limit, {}, { until: 1_900_000 }],
  [
    'a reset beyond limits.maxWait stops',
    { ...limit, until: 1_000_000 + limits.maxWait + 1 },
    {},
    { stop: 'limited' },
  ],
  ['the first overload waits shortest', overload, {}, { until: 1_018_750 }],
  ['the last one waits longest', overload, { outages: 4 }, { until: 1_300_000 }],
  ['overloads in a row end it', overload, { outages: 5 }, { stop: 'limited' }],
  ['crashes in a row end it', crash, { outages: 5 }, { stop: 'crashing' }],
  [
    'a wait that outlasts the run’s time stops at once',
    { ...limit, until: 1_600_000 },
    { end: { at: 1_600_000, cap: 'the 9m that are left', hint: 'more' } },
    { stop: 'budget', reason: 'limit; the wait is longer than the 9m that are left', hint: 'more' },
  ],
  [
    'one that ends before it does not',
    { ...limit, until: 1_600_000 },
    { end: { at: 1_600_001, cap: '', hint: '' } },
    { until: 1_600_000 },
  ],
] as const)('%s', (_, wait, change, plan) => {
  expect(planWait(wait, { ...given, ...change })).toMatchObject(plan);
});
