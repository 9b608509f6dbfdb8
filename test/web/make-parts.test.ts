// A task as the page shows it: where it stands, its bars, its attempts with their sessions and checks.
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { viewEvidence } from '../../src/report/view/attempts.ts';
import { viewWorks } from '../../src/report/view/works.ts';
import { makeParts } from '../../src/web/make-parts.ts';
import type { RunPart, TaskView } from '../../src/web/view.ts';
import { byPerson, fact, setAside, stampAll } from '../helpers/facts.ts';

function read(facts: readonly Fact[]) {
  const all = stampAll(facts, 60_000);
  const state = foldRun(all);
  if (!state) throw new Error('no run');
  return { state, all };
}

function barsOf(facts: readonly Fact[], live: boolean) {
  const { state, all } = read(facts);
  const parts = makeParts({ state, facts: all }, { live });
  return (parts.get('task/2') as TaskView).bars;
}

const begun = [fact('run-started'), fact('plan-read')] as const;
const attempt = (number: number) => fact('attempt-started', { attempt: number });
const session = (number: number, of: number) => fact('session-started', { session: number, attempt: of });
const check = (result: 'green' | 'red', command = 'npm test') =>
  fact('check-ended', { result, command, durationMs: 1000 });

test.each<[what: string, facts: readonly Fact[], standing: string]>([
  ['not begun', [], 'open'],
  ['in a session', [fact('task-started'), attempt(1), session(3, 1)], 'working'],
  ['begun, when the run stopped', [fact('task-started')], 'working'],
  ['closed with proof', [fact('task-started'), fact('task-closed')], 'proven'],
  [
    'closed, its experiments to come',
    [fact('task-started'), fact('task-closed', { proof: 'passed', pending: { turnedGreen: true } })],
    'pending',
  ],
  ['closed without', [fact('task-started'), fact('task-closed', { proof: 'unchecked' })], 'unchecked'],
  ['by hand', [byPerson('tick')], 'by-hand'],
  ['failed', [fact('task-started'), setAside('failed')], 'failed'],
  ['parked', [fact('task-started'), setAside('parked')], 'parked'],
  ['skipped', [fact('task-started'), setAside('skipped')], 'skipped'],
])('a task %s', (_, facts, standing) => {
  const [first, second] = [...viewWorks(read([...begun, ...facts]).state).values()];
  expect(first?.standing).toBe('before');
  expect(second?.standing).toBe(standing);
});

test('the journal’s newest lines, however many facts between them have none', () => {
  const costs = Array.from({ length: 1_000 }, () => fact('session-cost'));
  const { state, all } = read([...begun, fact('task-started'), session(3, 1), ...costs]);
  const log = makeParts({ state, facts: all }, { live: true }).get('log');
  expect(log).toContainEqual(expect.objectContaining({ text: 'Task 2: Add login' }));
});

test('bars: a session that goes on has no end, checks that follow one another are one bar', () => {
  const facts = [
    ...begun,
    fact('task-started'),
    attempt(1),
    session(3, 1),
    fact('session-ended', { session: 3, outcome: 'done' }),
    check('red'),
    attempt(2),
    session(4, 2),
  ];
  const bars = barsOf(facts, true);
  expect(bars.map(({ kind, tone, to }) => `${kind} ${tone}${to ? '' : ' …'}`)).toEqual([
    'session plain',
    'checks bad',
    'session plain …',
  ]);
  // A reviewer answers by schema; a task's session without a marker has come to nothing.
  const silent = (role: 'review' | 'task') =>
    barsOf(
      [
        ...begun,
        attempt(1),
        fact('session-started', { session: 5, role }),
        fact('session-ended', { session: 5, outcome: 'silent' }),
      ],
      true,
    )[0]?.tone;
  expect([silent('review'), silent('task')]).toEqual(['plain', 'warn']);
  const asked = [
    ...begun,
    attempt(1),
    session(3, 1),
    fact('session-ended', { session: 3, outcome: 'needs-input' }),
  ];
  expect(barsOf(asked, true).map(({ kind }) => kind)).toEqual(['session', 'question']);
  expect(barsOf(facts, false).at(-1)).toMatchObject({ tone: 'warn', to: read(facts).state.lastAt });
});

test('attempts: a number that comes again has its own sessions and checks', () => {
  const { state, all } = read([
    ...begun,
    fact('task-started', { red: ['plan:1', 'own:2'] }),
    fact('check-ended', { when: 'before' }),
    fact('check-ended', {
      when: 'before',
      check: 'own:3',
      command: 'true',
      name: 'nothing',
      result: 'green',
    }),
    attempt(1),
    session(3, 1),
    fact('round-ended', { attempt: 1, verdict: 'wait', reason: 'limited' }),
    attempt(1),
    session(4, 1),
    fact('correction-sent', { session: 4 }),
    check('green'),
    fact('task-closed', { reason: 'green' }),
  ]);
  const seen = viewEvidence(state, '2', all);
  expect(seen?.attempts[0]?.steps.map(({ title }) => title)).toEqual(['npm test', 'nothing']);
  expect(
    seen?.attempts.slice(1).map(({ steps, verdict }) => [steps.map((each) => each.sign).join(''), verdict]),
  ).toEqual([
    ['●', 'wait'],
    ['●↩✓', 'close'],
  ]);
  expect(seen?.attempts.at(-1)?.steps.map(({ session, series }) => session ?? series)).toEqual([
    4,
    undefined,
    'turn 1',
  ]);
});

test('waits, pauses and stops of the run', () => {
  const { state, all } = read([
    ...begun,
    fact('waiting'),
    fact('waited'),
    fact('paused'),
    byPerson('continue'),
    fact('run-ended', { finished: false }),
    fact('run-resumed'),
    fact('waiting'),
  ]);
  const { rests } = makeParts({ state, facts: all }, { live: true }).get('run') as RunPart;
  expect(rests.map(({ kind, to }) => `${kind}${to ? '' : ' …'}`)).toEqual([
    'wait',
    'pause',
    'stop',
    'wait …',
  ]);
});

test('what belongs to no task: each reviewer has a row with a name, and a finding that its red proof confirms is no alarm', () => {
  const review = (number: number, reviewer: string) =>
    fact('session-started', { session: number, role: 'review', reviewer, task: undefined });
  const { state, all } = read([
    ...begun,
    review(5, 'quality'),
    review(6, 'testing'),
    fact('session-ended', { session: 5, outcome: 'done' }),
    fact('check-ended', { when: 'proof', result: 'red', task: undefined }),
  ]);
  const { besides } = makeParts({ state, facts: all }, { live: true }).get('run') as RunPart;
  expect(besides.map(({ label, bars }) => [label, ...bars.map(({ tone }) => tone)])).toEqual([
    ['Session: quality', 'plain'],
    ['Session: testing', 'plain'],
    ['Checks of the whole run', 'warn'],
  ]);
});
