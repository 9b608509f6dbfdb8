// What a run has spent: where each stretch of time goes, by table; the whole, and each work's part.
import { describe, expect, it } from 'vitest';
import { eventVersion, type Fact, type Stamped } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { type RunTimes, readLedger } from '../../src/journal/ledger.ts';
import { byPerson, fact, stateOf } from '../helpers/facts.ts';

const tokens = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40 };
const start = (session: number, change = {}) => fact('session-started', { session, task: '1', ...change });
const end = (session: number, change = {}) =>
  fact('session-ended', { session, costUsd: 1, costAtLeast: false, tokens, ...change });

const held = [start(1), fact('turn-ended', { session: 1 })];
const missing = fact('opinion-missing', { session: 1, again: true });
const answered = fact('dialogue-answered');

function count(...facts: readonly Fact[]) {
  return readLedger(stateOf(...facts));
}

/** Seconds, one between two facts. */
it.each<[string, readonly Fact[], Partial<RunTimes>]>([
  ['nothing goes on', [fact('noticed')], { own: 2 }],
  ['a session is in a turn', [start(1), fact('noticed')], { own: 2, working: 1 }],
  ['it was held', [start(1), fact('turn-ended', { session: 1 }), fact('noticed')], { own: 3, working: 1 }],
  ['it was corrected', [...held, fact('correction-sent', { session: 1 }), end(1)], { own: 3, working: 2 }],
  ['two at once add up', [start(1), start(2), end(1), end(2)], { working: 4, own: 1 }],
  ['a reviewer says it again', [...held, missing, end(1)], { own: 3, working: 2 }],
  ['a check', [fact('check-started'), fact('check-ended', { durationMs: 1000 })], { own: 2, checking: 1 }],
  ['a wait', [fact('waiting'), fact('waited')], { own: 2, waiting: 1 }],
  ['a wait after another', [fact('waiting'), fact('waiting'), fact('waited')], { own: 2, waiting: 2 }],
  [
    'a wait that its pawl’s end cut off',
    [fact('waiting'), fact('run-ended'), byPerson('answer'), fact('run-resumed')],
    { own: 2, waiting: 1, stopped: 2 },
  ],
  [
    'sleep in a wait',
    [fact('waiting'), { ...fact('waited'), sleptMs: 600 } as Fact],
    { own: 2, waiting: 0.4, stopped: 0.6 },
  ],
  ['a question is a wait', [...held, fact('dialogue-asked'), answered], { own: 3, working: 1, waiting: 1 }],
  [
    'its planner goes on',
    [...held, fact('dialogue-asked'), answered, end(1)],
    { working: 2, own: 3, waiting: 1 },
  ],
  [
    'a question beyond a stop',
    [fact('dialogue-asked'), fact('run-ended'), fact('run-resumed'), answered],
    { own: 2, waiting: 2, stopped: 1 },
  ],
  ['a draft lies before a person', [fact('dialogue-drafted'), fact('noticed')], { own: 2, waiting: 1 }],
  ['a pause', [byPerson('pause'), fact('paused'), byPerson('continue')], { own: 3, paused: 1 }],
  [
    'a pause that begins in the wait of a lane',
    [fact('waiting'), byPerson('pause'), fact('paused'), byPerson('continue')],
    { own: 2, waiting: 2, paused: 1 },
  ],
  [
    'a wait that ends in a pause',
    [fact('waiting'), byPerson('pause'), fact('paused'), fact('waited'), byPerson('continue')],
    { own: 2, waiting: 2, paused: 2 },
  ],
  ['a stop in a turn', [start(1), fact('run-ended'), byPerson('answer')], { own: 2, working: 1, stopped: 1 }],
  [
    'a start after it',
    [start(1), fact('run-ended'), fact('run-resumed')],
    { own: 2, working: 1, stopped: 1 },
  ],
  ['a crash', [start(1), fact('session-cost'), fact('run-resumed')], { own: 2, working: 1, stopped: 1 }],
  [
    'a crash, continued on another machine',
    [start(1), fact('session-cost'), fact('carry-taken-up'), fact('run-resumed')],
    { own: 2, working: 1, stopped: 2 },
  ],
])('time: %s', (_name, facts, expected) => {
  const none = { working: 0, checking: 0, waiting: 0, paused: 0, stopped: 0, own: 0 };
  const { atWork: _, ...times } = count(...facts).times;
  const seconds = Object.fromEntries(Object.entries(times).map(([doing, ms]) => [doing, ms / 1000]));
  expect(seconds).toEqual({ ...none, ...expected });
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
    at(13, fact('check-ended', { task: '1', durationMs: 3000 }), 1),
    at(14, fact('task-closed', { task: '1' }), 1),
    at(15, fact('check-ended', { task: '2', durationMs: 3000 }), 2),
    at(18, fact('task-closed', { task: '2' }), 2),
    at(19, fact('task-started', { task: '3' }), 1),
    at(19, start(3, { task: '3' }), 1),
  ];
  const state = foldRun(facts);
  if (!state) throw new Error('it begins with a start');
  const { times, byWork } = readLedger(state, new Date(24_000).toISOString());
  expect(times).toMatchObject({ working: 22_000, checking: 6000, waiting: 0, own: 0, atWork: 24_000 });
  expect([...byWork].map(([work, { working, checking }]) => [work, working, checking])).toEqual([
    ['1', 8_000, 3000],
    ['2', 9_000, 3000],
    ['3', 5_000, 0],
  ]);
});

describe('a run', () => {
  const ledger = count(
    fact('phase', { phase: 'tasks' }),
    start(1, { attempt: 1, model: 'opus' }),
    fact('session-ready', { session: 1, model: 'claude-opus' }),
    fact('turn-ended', { session: 1 }),
    fact('check-started', { task: '1' }),
    fact('check-ended', { task: '1', durationMs: 1000 }),
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

  it('is counted as a whole', () => {
    expect(ledger).toMatchObject({ attempts: 2, corrections: 1 });
    expect(ledger.spent).toMatchObject({ sessions: 3, costUsd: 2, atLeast: true, tokensAtLeast: true });
    expect(ledger.times).toEqual({
      working: 5000,
      checking: 1000,
      waiting: 1000,
      paused: 0,
      stopped: 0,
      own: 9000,
      atWork: 15_000,
    });
  });

  it('is counted by work and by agent', () => {
    expect(ledger.byWork.get('1')).toMatchObject({ agents: ['claude'], spent: { sessions: 2, costUsd: 2 } });
    expect(ledger.byWork.get('2')?.spent).toEqual({ sessions: 1, atLeast: true });
    expect(ledger.byAgent.get('claude')).toEqual(ledger.spent);
  });
});

it('the same state has one ledger', () => {
  const state = stateOf();
  expect(readLedger(state)).toBe(readLedger(state));
  expect(readLedger({ ...state })).not.toBe(readLedger(state));
});
