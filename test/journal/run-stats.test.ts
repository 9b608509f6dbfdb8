// The statistics: where each stretch of time goes, by table; that nothing is lost or counted twice, by property; and
// parts of runs and of several together.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventVersion, type Fact, type Stamped } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { tallyRun, tallyTogether } from '../../src/journal/run-stats.ts';
import { doingNow, readTimes } from '../../src/journal/timeline.ts';
import { arbitraryFact } from '../helpers/arbitrary-fact.ts';
import { byPerson, fact, stampAll } from '../helpers/facts.ts';

const tokens = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };
const start = (session: number, change = {}) => fact('session-started', { session, task: '1', ...change });
const end = (session: number, change = {}) =>
  fact('session-ended', { session, costUsd: 1, costAtLeast: false, tokens, ...change });

function timesOf(facts: readonly Fact[]) {
  const state = foldRun(stampAll(facts));
  if (!state) throw new Error('it begins with a start');
  return state.times;
}

const lastOf = (facts: readonly Fact[]) => stampAll(facts).at(-1)?.at ?? '';

function count(...facts: readonly Fact[]) {
  const stamped = stampAll([fact('run-started'), fact('plan-read'), ...facts]);
  const state = foldRun(stamped);
  if (!state) throw new Error('it begins with a start');
  return { state, stats: tallyRun(state) };
}

describe('a stretch of time', () => {
  const doing = (...facts: readonly Fact[]) => doingNow(timesOf([fact('run-started'), ...facts]));

  const held = [start(1), fact('turn-ended', { session: 1 })];

  it.each<[string, readonly Fact[], string]>([
    ['nothing goes on', [], 'own'],
    ['a session is in a turn', [start(1)], 'working'],
    ['it was held', [start(1), fact('turn-ended', { session: 1 })], 'own'],
    [
      'it was corrected',
      [start(1), fact('turn-ended', { session: 1 }), fact('correction-sent', { session: 1 })],
      'working',
    ],
    ['it has ended', [start(1), end(1)], 'own'],
    ['one of two has ended', [start(1), start(2), end(1)], 'working'],
    [
      'a planner has asked',
      [start(1), fact('turn-ended', { session: 1 }), fact('dialogue-asked')],
      'waiting',
    ],
    ['it was answered', [fact('dialogue-asked'), fact('dialogue-answered')], 'own'],
    ['a draft lies before a person', [fact('dialogue-drafted')], 'waiting'],
    ['its checks are tried', [fact('dialogue-drafted'), fact('check-started')], 'checking'],
    ['they were', [fact('check-started'), fact('check-ended'), fact('dialogue-tried')], 'waiting'],
    ['it was judged', [fact('dialogue-drafted'), fact('dialogue-judged')], 'own'],
    ['it went back', [fact('dialogue-drafted'), fact('dialogue-corrected')], 'own'],
    [
      'its planner goes on by the answer',
      [...held, fact('dialogue-asked'), fact('dialogue-answered')],
      'working',
    ],
    ['it drafts anew', [...held, fact('dialogue-drafted'), fact('dialogue-corrected')], 'working'],
    ['it works a comment in', [...held, fact('dialogue-drafted'), fact('dialogue-judged')], 'working'],
    [
      'its draft is accepted',
      [...held, fact('dialogue-drafted'), fact('dialogue-judged', { choice: 'accepted' })],
      'own',
    ],
    [
      'a reviewer is to say it again',
      [...held, fact('opinion-missing', { session: 1, again: true })],
      'working',
    ],
    ['a check runs', [start(1), fact('check-started')], 'checking'],
    ['it has ended too', [fact('check-started'), fact('check-ended')], 'own'],
    ['a check was cut short', [fact('check-started'), fact('attempt-started')], 'own'],
    ['it waits', [fact('waiting')], 'waiting'],
    ['it has waited', [fact('waiting'), fact('waited')], 'own'],
    ['it was stopped in a turn', [start(1), fact('run-ended')], 'stopped'],
    ['a person answered meanwhile', [fact('run-ended'), byPerson('answer')], 'stopped'],
    ['it was started again', [start(1), fact('run-ended'), fact('run-resumed')], 'own'],
  ])('%s', (_, facts, expected) => expect(doing(...facts)).toBe(expected));

  it('before a start after a crash nobody was there', () => {
    const facts = [fact('run-started'), start(1), fact('session-cost'), fact('run-resumed')];
    expect(readTimes(timesOf(facts), lastOf(facts)).whole).toMatchObject({
      ...{ own: 1000, working: 1000, stopped: 1000 },
    });
  });

  it('belongs to its task', () => {
    const facts = [
      fact('run-started'),
      fact('phase', { phase: 'tasks' }),
      fact('task-started', { task: '1' }),
      start(4),
      end(4),
      fact('task-closed', { task: '1' }),
      fact('phase', { state: 'ended' }),
      fact('noticed'),
    ];
    const { whole, byTask } = readTimes(timesOf(facts), lastOf(facts));
    expect(byTask.get('1')).toMatchObject({ own: 2000, working: 1000 });
    expect(whole).toMatchObject({ own: 6000, working: 1000 });
  });
});

it('whatever happens, all time is counted once', () => {
  fc.assert(
    fc.property(fc.array(arbitraryFact(), { maxLength: 40 }), (facts) => {
      const stamped: readonly Stamped<Fact>[] = stampAll([fact('run-started'), fact('plan-read'), ...facts]);
      const state = foldRun(stamped);
      if (!state) throw new Error('it begins with a start');
      const stats = tallyRun(state);
      const all = Object.values(stats.whole.ms).reduce((a, b) => a + b, 0);
      expect(all).toBe((stamped.length - 1) * 1000);
    }),
    { numRuns: 200 },
  );
});

it('tasks at the same time have no more time than there was', () => {
  const at = (second: number, of: Fact, lane?: number): Stamped<Fact> => ({
    ...of,
    v: eventVersion,
    at: new Date(second * 1000).toISOString(),
    ...(lane === undefined ? {} : { lane }),
  });
  const facts = [
    at(0, fact('run-started')),
    at(0, fact('plan-read')),
    at(2, fact('task-started', { task: '1' }), 1),
    at(2, start(1), 1),
    at(3, fact('task-started', { task: '2' }), 2),
    at(3, start(2, { task: '2' }), 2),
    at(10, end(1), 1),
    at(10, fact('check-started', { task: '1' }), 1),
    at(12, end(2), 2),
    at(12, fact('check-started', { task: '2' }), 2),
    at(13, fact('check-ended', { task: '1' }), 1),
    at(14, fact('task-closed', { task: '1' }), 1),
    at(15, fact('check-ended', { task: '2' }), 2),
    at(17, fact('landing-waited', { task: '2', lane: 2, ms: 2000 }), 2),
    at(18, fact('task-closed', { task: '2' }), 2),
    at(19, fact('task-started', { task: '3' }), 1),
    at(19, start(3, { task: '3' }), 1),
  ];
  const state = foldRun(facts);
  if (!state) throw new Error('it begins with a start');
  const stats = tallyRun(state, new Date(24_000).toISOString());
  expect(stats.whole.ms).toMatchObject({ working: 22_000, checking: 6000, waiting: 0, own: 6000 });
  expect(stats.interventions.atWorkMs).toBe(24_000);
  expect(stats.tasks.map(({ name }) => name)).toEqual(['1', '2', '3']);
});

describe('a run', () => {
  const one = count(
    fact('phase', { phase: 'tasks' }),
    start(1, { attempt: 1, model: 'opus' }),
    fact('session-ready', { session: 1, model: 'claude-opus' }),
    fact('turn-ended', { session: 1 }),
    fact('check-started', { task: '1' }),
    fact('check-ended', { task: '1' }),
    fact('correction-sent', { session: 1 }),
    end(1),
    start(2, { attempt: 1, model: 'sonnet' }),
    end(2, { costAtLeast: true }),
    start(3, { task: '2', role: 'fix', attempt: 1, model: 'sonnet' }),
    {
      ...fact('session-ended', { session: 3, costAtLeast: true }),
      costUsd: undefined,
      tokens: undefined,
    } as Fact,
    fact('waiting'),
    fact('waited'),
    fact('intervention', { kind: 'answer', text: 'task 2 was answered' }),
  );
  const { stats } = one;

  it('is counted as a whole', () => {
    expect(stats.whole).toMatchObject({ sessions: 3, attempts: 2, corrections: 1 });
    expect(stats.whole.spent).toMatchObject({ costUsd: 2, atLeast: true, tokensAtLeast: true });
    expect(stats.whole.ms).toEqual({
      working: 5000,
      checking: 1000,
      waiting: 1000,
      paused: 0,
      stopped: 0,
      own: 9000,
    });
  });

  it('is parted', () => {
    const words = (parts: typeof stats.tasks) =>
      parts.map(
        ({ name, tally }) => `${name}: ${tally.sessions}, ${tally.attempts}, ${tally.spent.costUsd ?? '?'}`,
      );
    expect(words(stats.tasks)).toEqual(['1: 2, 1, 2', '2: 1, 1, ?']);
  });

  it('tells what people did, against the time at work', () => {
    expect(stats.interventions).toMatchObject({
      list: [{ kind: 'answer', text: 'task 2 was answered' }],
      atWorkMs: 15_000,
      mtbiMs: 15_000,
    });
    expect(count().stats.interventions).toEqual({ list: [], atWorkMs: 1000 });
  });

  it('adds up with others', () => {
    const other = count(start(1, { role: 'fix' }), end(1), fact('intervention'));
    const together = tallyTogether([one, other]);
    expect(together.runs).toHaveLength(2);
    expect(together.whole).toMatchObject({ sessions: 4, spent: { costUsd: 3, atLeast: true } });
    expect(together.interventions.mtbiMs).toBe(together.interventions.atWorkMs / 2);
    const tokens = { input: 30, output: 60, cacheRead: 90, cacheWrite: 120 };
    expect(together.whole.spent).toMatchObject({ tokens, tokensAtLeast: true });
    expect(tallyTogether([other, other]).whole.spent).not.toHaveProperty('tokensAtLeast');
    expect(tallyTogether([count()]).whole.spent).toEqual({ costUsd: 0, atLeast: false, sessions: 0 });
  });
});
