// Which wait of another lane is a lane's own too.
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { foldFact, foldRun } from '../../../src/journal/fold.ts';
import type { Place } from '../../../src/place/place.ts';
import { boundWait, planWait, waitBefore } from '../../../src/work/wait/wait.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

const now = new Date('2026-01-01T00:00:00Z');

/** Lane 1 waits for the limit of claude; how long lane 2 sleeps, milliseconds, and what is told, before it begins. */
async function waitAs(
  agent: string,
  between: readonly ReturnType<typeof fact>[] = [],
  until = now.getTime() + 60_000,
) {
  const config = configSchema.parse({ agent: { name: 'claude' } });
  const waiting = fact('waiting', {
    why: 'limit',
    until,
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
  // What is over is not waited for.
  expect(await waitAs('claude', [], now.getTime() - 1)).toEqual({ sleptMs: 0, told: [] });
});

// How long a wait is, and when it is no use.
const { limits } = configSchema.parse({});
const given = { now: 1_000_000, waitRows: {}, limits, jitter: 0 };
const since = new Date(1_000_000).toISOString();
const limit = { kind: 'wait', why: 'limit', reason: 'limit', counts: false } as const;
const overload = { ...limit, why: 'overload' } as const;
const crash = { ...limit, why: 'crash' } as const;

const row = (why: 'limit' | 'overload' | 'crash', count: number) => ({
  waitRows: { [why]: { count, since } },
});
const tooLong = { now: 1_000_000 + limits.maxWait };
const inTen = { ...limit, until: 1_600_000 };
const passed = { ...limit, until: 5 };
const gone = { ...crash, atLast: { why: 'refused', hint: 'install it' } } as const;
const end = (at: number) => ({ end: { at, cap: 'the 9m that are left', hint: 'more' } });

test.each<[string, Parameters<typeof planWait>[0], object, object]>([
  ['until the reset', inTen, {}, { until: 1_600_000 }],
  ['until the reset and some jitter', inTen, { jitter: 1 }, { until: 1_630_000 }],
  ['a reset that has passed is tried now', passed, {}, { until: 1_000_000 }],
  ['an unknown reset is looked at again in 15 min', limit, {}, { until: 1_900_000 }],
  ['a reset beyond limits.maxWait stops', { ...limit, until: tooLong.now + 1 }, {}, { why: 'limited' }],
  ['one that passed and was waited for in vain', passed, row('limit', 1), { until: 1_018_750 }],
  ['is waited for longer, up to limits.backoff', passed, row('limit', 9), { until: 1_300_000 }],
  ['a later reset counts', inTen, row('limit', 9), { until: 1_600_000 }],
  [
    'limits in a row end it after limits.maxWait in all',
    passed,
    { ...tooLong, ...row('limit', 9) },
    { why: 'limited', reason: expect.stringContaining('10 times in a row') },
  ],
  ['the first overload waits shortest', overload, {}, { until: 1_018_750 }],
  ['the last one waits longest', overload, row('overload', 4), { until: 1_300_000 }],
  ['an outage is waited for, however often', overload, row('overload', 50), { until: 1_300_000 }],
  [
    'but not longer than limits.maxWait in all',
    overload,
    { ...tooLong, ...row('overload', 50) },
    { why: 'outage', reason: expect.stringContaining('51 times in a row, for longer than limits.maxWait') },
  ],
  ['what is missing is named', gone, row('crash', 5), { why: 'refused', hint: 'install it' }],
  ['crashes in a row end it', crash, row('crash', 5), { why: 'crashing' }],
  [
    'a wait that outlasts the run’s time stops at once',
    inTen,
    end(1_600_000),
    { why: 'budget', reason: 'limit; the wait is longer than the 9m that are left', hint: 'more' },
  ],
  ['one that ends before it does not', inTen, end(1_600_001), { until: 1_600_000 }],
])('%s', (_, wait, change, plan) => {
  expect(planWait(wait, { ...given, ...change })).toMatchObject(plan);
});

test.each([
  ['the rest of one', 1_600_000, { until: 1_600_000 }],
  ['one that is too long by now', 1_000_001 + limits.maxWait, { why: 'limited' }],
])('what is owed of a wait that was cut off: %s', (_, until, plan) => {
  expect(boundWait({ why: 'limit', until, text: 'limit' }, given)).toMatchObject(plan);
});
