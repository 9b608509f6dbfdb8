// A task as the page shows it: where it stands, its bars, its attempts with their sessions and checks.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { restBars, sessionBars } from '../../../src/web/model/bars.ts';
import { RunFacts } from '../../../src/web/model/run-facts.ts';
import { listTaskViews, makeEvidence } from '../../../src/web/model/task-view.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

function read(facts: readonly Fact[]) {
  const all = new RunFacts(true);
  for (const each of stampAll(facts, 60_000)) all.add(each);
  const { state } = all;
  if (!state) throw new Error('no run');
  return { state, all };
}

const begun = [fact('run-started'), fact('plan-read')] as const;
const attempt = (number: number) => fact('attempt-started', { attempt: number });
const session = (number: number, of: number) => fact('session-started', { session: number, attempt: of });
const check = (result: 'green' | 'red', command = 'npm test') =>
  fact('check-ended', { result, command, durationMs: 1000 });

test.each<[what: string, facts: readonly Fact[], live: boolean, standing: string]>([
  ['not begun', [], true, 'open'],
  ['in a session', [fact('task-started'), attempt(1), session(3, 1)], true, 'working'],
  ['begun, when the run stopped', [fact('task-started')], false, 'working'],
  ['closed with proof', [fact('task-started'), fact('task-closed')], true, 'proven'],
  ['closed without', [fact('task-started'), fact('task-closed', { proof: 'unchecked' })], true, 'unchecked'],
  ['by hand', [fact('task-closed-by-hand')], true, 'by-hand'],
  ['failed', [fact('task-started'), fact('task-failed')], true, 'failed'],
  ['parked', [fact('task-started'), fact('task-parked')], true, 'parked'],
  ['skipped', [fact('task-started'), fact('task-skipped')], true, 'skipped'],
])('a task %s', (_, facts, live, standing) => {
  const { state, all } = read([...begun, ...facts]);
  const [first, second] = listTaskViews(state, all.tasks, live ? undefined : state.lastAt);
  expect(first?.standing).toBe('before');
  expect(second?.standing).toBe(standing);
});

test('bars: a session that goes on has no end, checks that follow one another are one bar', () => {
  const { state, all } = read([
    ...begun,
    fact('task-started'),
    attempt(1),
    session(3, 1),
    fact('session-ended', { session: 3, outcome: 'done' }),
    check('red'),
    attempt(2),
    session(4, 2),
  ]);
  const bars = listTaskViews(state, all.tasks, undefined)[1]?.bars ?? [];
  expect(bars.map(({ kind, tone, to }) => `${kind} ${tone}${to ? '' : ' …'}`)).toEqual([
    'session plain',
    'checks bad',
    'session plain …',
  ]);
  // A reviewer answers by schema; a task's session without a marker has come to nothing.
  const silent = (role: 'review' | 'task') =>
    sessionBars(
      [
        ...read([
          ...begun,
          fact('session-started', { session: 5, role }),
          fact('session-ended', { session: 5, outcome: 'silent' }),
        ]).state.sessions.values(),
      ],
      undefined,
    )[0]?.tone;
  expect([silent('review'), silent('task')]).toEqual(['plain', 'warn']);
  const ended = listTaskViews(state, all.tasks, state.lastAt)[1]?.bars ?? [];
  expect(ended.at(-1)).toMatchObject({ tone: 'warn', to: state.lastAt });
});

test('attempts: a number that comes again has its own sessions and checks', () => {
  const { state, all } = read([
    ...begun,
    fact('task-started', { red: ['plan:1', 'own:2'], vacuous: ['own:3'] }),
    fact('check-ended', { when: 'before' }),
    fact('check-ended', { when: 'before', check: 'own:3', command: 'true', result: 'green' }),
    attempt(1),
    session(3, 1),
    fact('round-ended', { attempt: 1, verdict: 'wait', reason: 'limited' }),
    attempt(1),
    session(4, 1),
    fact('correction-sent', { session: 4 }),
    check('green'),
    fact('task-closed', { reason: 'green' }),
  ]);
  const seen = makeEvidence(state, '2', all.tasks.get('2') ?? []);
  expect(seen?.before).toHaveLength(2);
  expect(seen?.vacuous).toEqual(['true']);
  expect(seen?.turnedGreen).toEqual(['npm test']);
  expect(
    seen?.attempts.map(({ sessions, checks, verdict, corrections }) => [
      sessions.map((one) => one.session),
      checks.length,
      corrections.length,
      verdict,
    ]),
  ).toEqual([
    [[3], 0, 0, 'wait'],
    [[4], 1, 1, 'close'],
  ]);
});

test('waits, pauses and stops of the run', () => {
  const facts = [
    fact('waiting'),
    fact('waited'),
    fact('paused'),
    fact('continued'),
    fact('run-ended', { finished: false }),
    fact('run-resumed'),
    fact('waiting'),
  ];
  expect(restBars(stampAll(facts)).map(({ kind, to }) => `${kind}${to ? '' : ' …'}`)).toEqual([
    'wait',
    'pause',
    'stop',
    'wait …',
  ]);
});
