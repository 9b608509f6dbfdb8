// Which wait of another lane is a lane's own too.
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { foldFact, foldRun } from '../../../src/journal/fold.ts';
import type { Place } from '../../../src/place/place.ts';
import { boundWait, planWait, waitBefore } from '../../../src/work/wait/wait.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

const now = new Date('2026-01-01T00:00:00Z');

/** Lane 1 waits for the limit of claude; how long lane 2 sleeps, milliseconds, and what is told, before it begins. */
async function waitAs(agent: string, between: readonly ReturnType<typeof fact>[] = []) {
  const config = configSchema.parse({ agent: { name: 'claude' } });
  const waiting = fact('waiting', {
    why: 'limit',
    until: now.getTime() + 60_000,
    text: 'limit',
    agents: ['claude'],
  });
  let state = foldRun(stampAll([fact('run-started'), waiting, ...between]));
  if (!state) throw new Error('no run');
  const told: string[] = [];
  let sleptMs = 0;
  const run = {
    config,
    state: () => state,
    emit: ({ type }: { type: string }) => told.push(type),
    now: () => new Date(now.getTime() + sleptMs),
    sleep: async (ms: number) => {
      sleptMs += ms;
      const [waited] = stampAll([fact('waited', { how: 'time' })]);
      if (sleptMs >= 60_000 && state && waited) state = foldFact(state, waited);
    },
    wake: () => new AbortController().signal,
    signal: new AbortController().signal,
  };
  const place = { run, lane: { number: 2 }, repo: { commonDir: '' } } as unknown as Place;
  const whom = { duties: [{ role: 'task', agent }], isWanted: () => true } as const;
  expect(await waitBefore(place, whom)).toBeUndefined();
  return { sleptMs, told };
}

test('a lane waits as long as another one for an agent that is its own too, and not for any other', async () => {
  expect(await waitAs('claude')).toEqual({ sleptMs: 60_000, told: [] });
  expect(await waitAs('codex')).toEqual({ sleptMs: 0, told: [] });
  // That another agent has begun ends no wait of this one.
  const begun = fact('session-started', { agent: 'codex' });
  expect(await waitAs('claude', [begun])).toEqual({ sleptMs: 60_000, told: [] });
});

// How long a wait is, and when it is no use.
const { limits } = configSchema.parse({});
const given = { now: 1_000_000, waitRows: {}, limits, jitter: 0 };
const since = new Date(1_000_000).toISOString();
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
    { why: 'limited' },
  ],
  [
    'a reset that passed and was waited for in vain is waited for longer, and longer',
    { ...limit, until: 5 },
    { waitRows: { limit: { count: 1, since } } },
    { until: 1_018_750 },
  ],
  [
    'up to limits.backoff',
    { ...limit, until: 5 },
    { waitRows: { limit: { count: 9, since } } },
    { until: 1_300_000 },
  ],
  [
    'a later reset counts',
    { ...limit, until: 1_600_000 },
    { waitRows: { limit: { count: 9, since } } },
    { until: 1_600_000 },
  ],
  [
    'limits in a row end it after limits.maxWait in all',
    { ...limit, until: 5 },
    { now: 1_000_000 + limits.maxWait, waitRows: { limit: { count: 9, since } } },
    { why: 'limited', reason: expect.stringContaining('10 times in a row') },
  ],
  ['the first overload waits shortest', overload, {}, { until: 1_018_750 }],
  [
    'the last one waits longest',
    overload,
    { waitRows: { overload: { count: 4, since } } },
    { until: 1_300_000 },
  ],
  [
    'an outage is waited for, however often',
    overload,
    { waitRows: { overload: { count: 50, since } } },
    { until: 1_300_000 },
  ],
  [
    'but not longer than limits.maxWait in all',
    overload,
    { now: 1_000_000 + limits.maxWait, waitRows: { overload: { count: 50, since } } },
    { why: 'outage', reason: expect.stringContaining('51 times in a row, for longer than limits.maxWait') },
  ],
  [
    'what is missing in the end is what the run stops for',
    { ...crash, atLast: { why: 'refused', hint: 'install it' } } as const,
    { waitRows: { crash: { count: 5, since } } },
    { why: 'refused', hint: 'install it' },
  ],
  ['crashes in a row end it', crash, { waitRows: { crash: { count: 5, since } } }, { why: 'crashing' }],
  [
    'a wait that outlasts the run’s time stops at once',
    { ...limit, until: 1_600_000 },
    { end: { at: 1_600_000, cap: 'the 9m that are left', hint: 'more' } },
    { why: 'budget', reason: 'limit; the wait is longer than the 9m that are left', hint: 'more' },
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

test.each([
  ['the rest of one', 1_600_000, { until: 1_600_000 }],
  ['one that is too long by now', 1_000_001 + limits.maxWait, { why: 'limited' }],
])('what is owed of a wait that was cut off: %s', (_, until, plan) => {
  expect(boundWait({ why: 'limit', until, text: 'limit' }, given)).toMatchObject(plan);
});
