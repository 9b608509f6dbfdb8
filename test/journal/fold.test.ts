// The fold: what each fact makes of a run, by table, and that no sequence of facts breaks it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rest } from '../../src/event/waits.ts';
import type { Fact, FactOf } from '../../src/event.ts';
import { foldFact, foldRun } from '../../src/journal/fold.ts';
import { readLedger } from '../../src/journal/ledger.ts';
import type { RunState } from '../../src/journal/state.ts';
import type { TaskState } from '../../src/journal/task-state.ts';
import { receiptLines, writeReceipt } from '../../src/report/receipt/receipt.ts';
import { viewRun } from '../../src/report/view/view-run.ts';
import { arbitraryFact } from '../helpers/arbitrary-fact.ts';
import { byPerson, fact, stateOf as fold, setAside, stampAll } from '../helpers/facts.ts';

function task(state: RunState, id = '2'): TaskState {
  const found = state.tasks.get(id);
  if (!found) throw new Error(`no task ${id}`);
  return found;
}

const at = (second: number) => `2026-11-21T22:30:0${second}.000Z`;
const rest = (as: Rest['as'], from: number, to: number) => ({ as, from: at(from), to: at(to) });

it('is nothing without the start of a run', () => {
  expect(foldRun([])).toBeUndefined();
  expect(foldRun(stampAll([fact('plan-read')]))).toBeUndefined();
});

describe('a task', () => {
  const round = (change: Partial<FactOf<'round-ended'>>) => fact('round-ended', change);
  it.each<[string, readonly Fact[], object]>([
    ['is open at first', [], { standing: { is: 'open' }, counted: [], attemptsEver: 0, corrections: 0 }],
    ['has the tree of its start as untouched', [fact('task-started', { tree: 't1' })], { untouched: ['t1'] }],
    [
      'counts what counts',
      [round({}), round({ counts: false }), round({ verdict: 'correct' })],
      { counted: [expect.objectContaining({ fingerprint: 'f1' })] },
    ],
    ['knows its last attempt', [fact('attempt-started', { attempt: 3 })], { attemptsEver: 3 }],
    ['counts corrections', [fact('correction-sent'), fact('correction-sent')], { corrections: 2 }],
    ['is closed', [fact('task-closed')], { standing: { is: 'closed' } }],
    ['is closed by hand', [byPerson('tick')], { standing: { is: 'closed-by-hand' } }],
    ['fails', [setAside('failed')], { standing: { is: 'failed' } }],
    ['is skipped', [byPerson('skip')], { standing: { is: 'skipped' } }],
    [
      'stays skipped when it is skipped in the moment it begins',
      [byPerson('skip'), fact('task-started'), fact('attempt-started')],
      { standing: { is: 'skipped' } },
    ],
    [
      'knows where the work of a skipped task is',
      [fact('task-started'), byPerson('skip'), setAside('skipped', { rescue: 'r1' })],
      {
        standing: { is: 'skipped' },
        work: { is: 'discarded', rescue: 'r1' },
      },
    ],
    [
      'gets new attempts when it is to be tried again',
      [round({}), setAside('failed'), byPerson('retry')],
      { standing: { is: 'open' }, attemptsEver: 0, counted: [] },
    ],
    [
      'knows that its work was taken away',
      [fact('task-started'), setAside('failed', { rescue: 'r1' })],
      { standing: { is: 'failed' }, work: { is: 'discarded', rescue: 'r1' } },
    ],
    [
      'knows of it until another round has left its own',
      [setAside('failed', { rescue: 'r1' }), fact('task-started'), fact('attempt-started'), round({})],
      { work: { is: 'here' } },
    ],
    [
      'begins anew after that',
      [setAside('parked', { rescue: 'r1' }), fact('task-started', { tree: 't2' })],
      { standing: { is: 'open' }, tree: 't2', untouched: ['t2'], work: { is: 'returning', rescue: 'r1' } },
    ],
    [
      'knows its parked work when it is taken out again before that has come back',
      [
        setAside('parked', { rescue: 'r1' }),
        fact('task-started'),
        fact('rescue-saved', { task: '2', oid: 'r2' }),
      ],
      { work: { is: 'leaving', rescue: 'r1' } },
    ],
    [
      'is parked with its question',
      [setAside('parked', { reason: 'which?' })],
      { standing: { is: 'parked', question: 'which?' } },
    ],
    [
      'is answered',
      [setAside('parked', { reason: 'which?' }), byPerson('answer', { said: 'this' })],
      { standing: { is: 'open' }, answers: [{ question: 'which?', answer: 'this' }] },
    ],
    [
      'is new again when reopened',
      [fact('task-started'), fact('act-found'), fact('task-closed'), fact('task-reopened')],
      { standing: { is: 'open' }, violations: [], untouched: [] },
    ],
    [
      'keeps trees that checks made apart',
      [fact('tree-written', { tree: 't2', untouched: true }), fact('tree-written', { tree: 't3' })],
      { untouched: ['t2'], tree: 't3' },
    ],
    [
      'gets new attempts when a person starts it again',
      [round({}), setAside('failed'), fact('run-ended'), fact('run-resumed', { after: 'stop' })],
      { standing: { is: 'open' }, counted: [] },
    ],
    [
      'gets none after a crash',
      [round({}), fact('run-resumed', { after: 'crash' })],
      { counted: [expect.objectContaining({ fingerprint: 'f1' })] },
    ],
    [
      'survives a plan that is read again',
      [fact('task-closed'), fact('plan-read')],
      { standing: { is: 'closed' } },
    ],
  ])('%s', (_name, facts, expected) => expect(task(fold(...facts))).toMatchObject(expected));

  it('keeps the last result of each check and moment', () => {
    const checks = [
      fact('check-ended', { when: 'before' }),
      fact('check-ended', { when: 'after' }),
      fact('check-ended', { when: 'after', result: 'green' }),
      fact('check-ended', { when: 'after', check: 'plan:2' }),
    ];
    expect(
      task(fold(...checks)).checks.map(({ check, when, result }) => `${check} ${when} ${result}`),
    ).toEqual(['plan:1 before red', 'plan:1 after green', 'plan:2 after red']);
  });
});

describe('a run', () => {
  it.each<[string, readonly Fact[], object]>([
    ['is going on again when resumed', [fact('run-ended'), fact('run-resumed')], { resumes: 1 }],
    ['remembers a closing until its close', [fact('closing'), fact('task-closed')], {}],
    [
      'keeps violations that belong to no task of the plan',
      [fact('act-found', { task: 'gone' })],
      { violations: [fact('act-found', { task: 'gone' })] },
    ],
    [
      'keeps refused files likewise',
      [fact('file-refused', { task: 'gone' })],
      { refused: [fact('file-refused', { task: 'gone' })] },
    ],
    [
      'keeps each refused host as last told',
      [fact('egress-refused'), fact('egress-refused', { port: 80 }), fact('egress-refused', { times: 10 })],
      { refusedHosts: [fact('egress-refused', { port: 80 }), fact('egress-refused', { times: 10 })] },
    ],
    [
      'keeps a stop',
      [fact('run-ended'), byPerson('stop'), fact('run-resumed')],
      { rests: [rest('stopped', 2, 4)] },
    ],
    [
      'takes a crash in a wait for its end',
      [fact('waiting'), fact('noticed'), fact('run-resumed')],
      { rests: [rest('stopped', 3, 4), rest('waiting', 2, 3)] },
    ],
    ['knows where a task began', [fact('task-started', { commit: 'c1' })], { lastHead: 'c1' }],
    ['knows its own commits', [fact('plan-committed', { oid: 'c1' })], { lastHead: 'c1' }],
    [
      'knows where it stopped',
      [fact('plan-committed'), fact('run-ended', { head: 'c2' })],
      { lastHead: 'c2' },
    ],
    [
      'knows where the plan was archived',
      [fact('plan-archived', { state: 'done', oid: 'c4' })],
      { lastHead: 'c4' },
    ],
    ['knows where a fix is', [fact('work-ended', { oid: 'c5' })], { lastHead: 'c5' }],
    ['knows where its commits are now', [fact('commits-moved', { head: 'c6' })], { lastHead: 'c6' }],
    ['knows what it was squashed into', [fact('run-squashed', { to: 'c3' })], { lastHead: 'c3' }],
  ])('%s', (_name, facts, expected) => expect(fold(...facts)).toMatchObject(expected));

  it('knows nothing red of a check on the untouched tree that was interrupted', () => {
    const baseline = (result: 'interrupted' | 'red') => fact('check-ended', { when: 'baseline', result });
    expect(fold(baseline('interrupted')).baseline).toEqual([]);
    expect(fold(baseline('interrupted'), baseline('red')).baseline).toHaveLength(1);
  });

  it('forgets a task’s start, close and rounds when it is opened again, and keeps the answers', () => {
    const past = [fact('task-started'), fact('round-ended'), setAside('parked'), byPerson('answer')];
    const again = task(fold(...past, fact('task-closed'), fact('task-reopened')));
    expect(Object.keys(again).sort()).toEqual(Object.keys(task(fold())).sort());
    expect(again).toMatchObject({ standing: { is: 'open' }, answers: [{ answer: byPerson('answer').said }] });
  });

  it('goes on after an undo of its own, on the tree that it left', () => {
    const over = [fact('task-closed'), fact('plan-archived'), fact('run-ended', { exit: 0, finished: true })];
    const undone = fold(...over, fact('task-reopened', { by: 'undo', tree: 'aa', head: 'bb' }));
    expect(undone.course.ended).toMatchObject({
      finished: false,
      tree: 'aa',
      head: 'bb',
      reasons: [{ code: 'undone' }],
    });
    expect(undone.archive).toBeUndefined();
    expect(fold(...over, fact('task-reopened', { by: 'undo' })).course.ended?.finished).toBe(true);
    expect(fold(fact('task-reopened', { by: 'undo', tree: 'aa' })).course.ended).toBeUndefined();
  });

  it('knows nothing of a review of what an undo took back', () => {
    const reviewed = [fact('task-closed'), fact('stage-started')];
    expect(fold(...reviewed).review.stages.size).toBe(1);
    expect(fold(...reviewed, fact('task-reopened', { by: 'undo', tree: 'aa' })).review.stages.size).toBe(0);
  });

  it('knows of the checks at the end what was last seen, and nothing of an end before an undo', () => {
    const atEnd = (result: 'green' | 'red') => fact('check-ended', { when: 'at-end', result });
    const ends = [atEnd('red'), atEnd('green'), fact('fresh-verified')];
    expect(fold(...ends).atEnd).toMatchObject([{ result: 'green' }]);
    expect(fold(...ends).freshVerified).toBeDefined();
    const undone = fold(...ends, fact('task-reopened', { by: 'undo', tree: 'aa' }));
    expect(undone.atEnd).toEqual([]);
    expect(undone.freshVerified).toBeUndefined();
  });

  it('is over, closing or waiting only while it is', () => {
    expect(fold(fact('run-ended')).course.ended).toBeDefined();
    expect(fold(fact('run-ended'), fact('run-resumed')).course.ended).toBeUndefined();
    expect(fold(fact('closing')).closing).toBeDefined();
    expect(fold(fact('closing'), fact('task-closed')).closing).toBeUndefined();
    expect(fold(fact('closing'), fact('round-ended')).closing).toBeUndefined();
    expect(fold(fact('waiting')).waiting).toBeDefined();
    expect(fold(fact('waiting'), fact('run-resumed')).waiting).toBeUndefined();
  });
});

describe('the ledger', () => {
  const end = (session: number, change: Partial<FactOf<'session-ended'>> = {}) =>
    fact('session-ended', { session, costAtLeast: false, ...change });
  const { costUsd: _, ...unknown } = end(1);
  it.each<[string, readonly Fact[], { costUsd?: number; atLeast: boolean; sessions: number }]>([
    ['nothing', [], { costUsd: 0, atLeast: false, sessions: 0 }],
    [
      'one that ended',
      [fact('session-started', { session: 1 }), end(1, { costUsd: 0.5 })],
      { costUsd: 0.5, atLeast: false, sessions: 1 },
    ],
    [
      'one that runs',
      [fact('session-started', { session: 1 }), fact('session-cost', { session: 1, costUsd: 0.25 })],
      { costUsd: 0.25, atLeast: true, sessions: 1 },
    ],
    [
      'one that was never told',
      [fact('session-started', { session: 1 }), unknown],
      { atLeast: true, sessions: 1 },
    ],
    [
      'the end without a figure keeps the last one',
      [
        fact('session-started', { session: 1 }),
        fact('session-cost', { session: 1, costUsd: 0.25 }),
        { ...unknown, costAtLeast: true },
      ],
      { costUsd: 0.25, atLeast: true, sessions: 1 },
    ],
    [
      'two',
      [
        fact('session-started', { session: 1 }),
        end(1, { costUsd: 0.5 }),
        fact('session-started', { session: 2 }),
        end(2, { costUsd: 0.25 }),
      ],
      { costUsd: 0.75, atLeast: false, sessions: 2 },
    ],
    ['a session nobody started', [end(9)], { costUsd: 0, atLeast: false, sessions: 0 }],
  ])('%s', (_name, facts, expected) => {
    const { tokens: __, ...spent } = readLedger(fold(...facts)).spent;
    expect(spent).toEqual(expected);
  });

  it('tokens that some session did not tell are a lower bound', () => {
    const { tokens, ...untold } = end(2);
    const started = [1, 2].map((session) => fact('session-started', { session }));
    expect(readLedger(fold(...started, end(1), end(2))).spent).not.toHaveProperty('tokensAtLeast');
    expect(readLedger(fold(...started, end(1), untold)).spent).toMatchObject({ tokens, tokensAtLeast: true });
  });
});

it('takes any sequence of facts, and so do receipt and standing', () => {
  fc.assert(
    fc.property(
      arbitraryFact('run-started'),
      fc.array(arbitraryFact(), { maxLength: 40 }),
      (start, facts) => {
        const before = stampAll([start, fact('plan-read'), ...facts]);
        const copy = structuredClone(before);
        const state = foldRun(before);
        if (!state) throw new Error('it begins with a start');
        expect(before).toEqual(copy);
        const { spent } = readLedger(state);
        expect(spent.sessions).toBe(state.sessions.size);
        expect(writeReceipt(state)).not.toMatch(/undefined|NaN/);
        expect(receiptLines(state).length).toBeGreaterThan(2);
        const { tasks } = viewRun(state, {});
        const { total, closed: _, ...parts } = tasks;
        expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total);
      },
    ),
    { numRuns: 300 },
  );
});

it('comes to the same one by one and all at once, and changes no state that was given away', () => {
  fc.assert(
    fc.property(
      arbitraryFact('run-started'),
      fc.array(arbitraryFact(), { maxLength: 30 }),
      (start, facts) => {
        const all = stampAll([start, fact('plan-read'), fact('session-started'), ...facts]);
        const first = foldRun(all.slice(0, 1));
        if (!first) throw new Error('it begins with a start');
        const states = [first];
        const frozen = [structuredClone(first)];
        for (const one of all.slice(1)) {
          const next = foldFact(states.at(-1) ?? first, one);
          states.push(next);
          frozen.push(structuredClone(next));
        }
        expect(states).toEqual(frozen);
        expect(foldRun(all)).toEqual(states.at(-1));
        const last = all.at(-1);
        const whole = foldRun(all.slice(0, -1)) ?? first;
        const copy = structuredClone(whole);
        if (last) foldFact(whole, last);
        expect(whole).toEqual(copy);
      },
    ),
    { numRuns: 200 },
  );
});

describe('what a person asks', () => {
  const asked = byPerson('pause');
  it.each<[string, readonly Fact[], object]>([
    ['a pause is asked for', [asked], { pause: { now: false } }],
    ['a pause at once', [asked, byPerson('pause', { now: true })], { pause: { now: true } }],
    ['a pause is over', [asked, fact('paused'), byPerson('continue')], { rests: [rest('paused', 3, 4)] }],
    ['a pause is taken back', [asked, byPerson('continue')], { rests: [] }],
    [
      'the end of the process ends the rest',
      [asked, fact('paused'), fact('run-ended')],
      { pause: { now: false }, rests: [rest('paused', 3, 4)] },
    ],
    [
      'a start after a stop goes on',
      [asked, fact('paused'), fact('run-ended'), fact('run-resumed', { after: 'stop' })],
      { rests: [rest('paused', 3, 4), rest('stopped', 4, 5)] },
    ],
    [
      'a start after a crash still rests',
      [asked, fact('paused'), fact('noticed'), fact('run-resumed')],
      { pause: { now: false }, rests: [rest('stopped', 4, 5), rest('paused', 3, 4)] },
    ],
    ['a wait is cut short', [fact('waiting'), byPerson('continue')], { rests: [rest('waiting', 2, 3)] }],
    ['a stop is asked for', [byPerson('stop')], { course: { stopAsked: true } }],
    [
      'a new start has not been asked to stop',
      [byPerson('stop'), fact('run-ended'), fact('run-resumed')],
      { course: { stopAsked: false } },
    ],
    [
      'a note waits',
      [byPerson('steer')],
      { notes: [expect.not.objectContaining({ session: expect.anything() })] },
    ],
    [
      'a note is delivered by the session that begins with it',
      [byPerson('steer'), fact('session-started', { notes: [1] })],
      { notes: [expect.objectContaining({ note: 1, session: 3 })] },
    ],
    [
      'a note is delivered into a session, and by one fact only',
      [byPerson('steer'), fact('notes-delivered', { session: 4 }), fact('session-started', { notes: [1] })],
      { notes: [expect.objectContaining({ session: 4 })] },
    ],
  ])('%s', (_, facts, expected) => {
    const state = fold(...facts);
    expect(state).toMatchObject(expected);
    if (!('pause' in expected)) expect(state.pause).toBeUndefined();
    const last = facts.at(-1);
    if (last?.type === 'intervention' && last.kind === 'continue') expect(state.waiting).toBeUndefined();
  });
});

it('forgets what was noted about a tree once a session has made another one', () => {
  const made = (tree: string, by: 'session' | 'check') => fact('tree-written', { task: '2', tree, by });
  const noted = [fact('tamper-noted', { task: '2' }), fact('file-refused', { task: '2' })];
  const notesAfter = (...facts: Fact[]) => {
    const { tamper, refused } = task(fold(fact('task-started'), made('a', 'session'), ...noted, ...facts));
    return [tamper.length, refused.length];
  };
  expect(notesAfter(made('a', 'session'))).toEqual([1, 1]);
  expect(notesAfter(made('b', 'check'))).toEqual([1, 1]);
  expect(notesAfter(made('b', 'session'))).toEqual([0, 0]);
});

it('knows the checks that were red before the work and are excused, and no others', () => {
  const red = (check: string, command: string) =>
    fact('check-ended', { check, command, when: 'baseline', result: 'red', knownRed: undefined });
  const ended = fact('phase', { phase: 'baseline', state: 'ended', knownRed: ['b'] });
  const state = fold(red('plan:1', 'a'), red('plan:2', 'b'), ended);
  expect(state.baseline.map(({ knownRed = false }) => knownRed)).toEqual([false, true]);
  expect(state.knownRed).toEqual(['b']);
});
