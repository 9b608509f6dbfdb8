// What of a run waits for a person, in which order, and what no longer does.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { optionsOf } from '../../../src/report/view/needs.ts';
import { viewRun } from '../../../src/report/view/view-run.ts';
import { byPerson, fact, foldFacts, setAside } from '../../helpers/facts.ts';
import { disputedReview } from '../review-state.ts';

const begun = [fact('run-started'), fact('plan-read'), fact('task-started')] as const;

function view(facts: readonly Fact[], isHeld: boolean) {
  const state = foldFacts(facts, 60_000);
  return viewRun(state, { isHeld });
}

function needsOf(facts: readonly Fact[], isHeld: boolean) {
  return view(facts, isHeld).needs.map(({ kind, urgency, task }) =>
    [kind, urgency, task].filter(Boolean).join(' '),
  );
}

const over = (exit: number, code: string) =>
  fact('run-ended', { exit, finished: false, reasons: [{ exit, code, text: 'why' }] });

test.each<[what: string, facts: readonly Fact[], live: boolean, needs: readonly string[]]>([
  ['nothing, at work', begun, true, []],
  ['a question', [...begun, setAside('parked')], true, ['question now 2']],
  ['none once it is answered', [...begun, setAside('parked'), byPerson('answer')], true, []],
  ['a crash', begun, false, ['crash now']],
  ['a wait for a limit', [...begun, fact('waiting')], true, ['limit later']],
  [
    'a wait for an answer is the question',
    [...begun, setAside('parked'), fact('waiting', { why: 'answer' })],
    true,
    ['question now 2'],
  ],
  ['attempts that come to nothing', [...begun, fact('stuck')], true, ['stuck soon 2']],
  ['not after new attempts', [...begun, fact('stuck'), byPerson('retry')], true, []],
  ['not after a note for the task', [...begun, fact('stuck'), byPerson('steer')], true, []],
  [
    'findings that a finished review left open',
    [...begun, ...disputedReview, fact('run-ended', { exit: 4, finished: true, reasons: [] })],
    false,
    ['findings soon'],
  ],
  [
    'a branch that is ready, with opinions: one need',
    [
      ...begun,
      fact('branch-created', { from: 'main' }),
      ...disputedReview,
      fact('run-ended', { exit: 0, finished: true, reasons: [] }),
    ],
    false,
    ['ready later'],
  ],
  ['a failure, told once', [...begun, setAside('failed'), over(1, 'task-failed')], false, ['failed soon 2']],
  [
    'a budget that is spent',
    [...begun, fact('budget-reached', { budget: 'cost', share: 1, cap: 5 }), over(5, 'budget')],
    false,
    ['budget now', 'stopped soon'],
  ],
  [
    'a budget that was raised since',
    [
      ...begun,
      fact('budget-reached', { budget: 'cost', share: 1, cap: 5 }),
      fact('budgets-set', { settings: [], asked: [{ budget: 'cost', cap: 9, from: 'pawl set' }] }),
    ],
    true,
    [],
  ],
  [
    'a planner that asks at a terminal',
    [fact('run-started', { planning: { from: 'the command line' } }), fact('dialogue-asked')],
    true,
    ['planning now'],
  ],
  [
    'a dialogue that was killed is a crash, and nobody to answer',
    [fact('run-started', { planning: { from: 'the command line' } }), fact('dialogue-asked')],
    false,
    ['crash now'],
  ],
  ['a stop for a reason of its own', [...begun, over(8, 'git')], false, ['stopped soon']],
  [
    'a run that another machine has taken up asks there',
    [...begun, fact('carry-begun'), setAside('parked'), fact('carry-fenced'), over(8, 'fenced')],
    false,
    [],
  ],
  ['a stop by a person is known', [...begun, over(130, 'interrupted')], false, []],
  [
    'a run that is finished',
    [...begun, setAside('parked'), fact('run-ended', { finished: true, exit: 4 })],
    false,
    [],
  ],
  [
    'a branch of its own that is done can be merged',
    [
      ...begun,
      fact('branch-created', { from: 'main' }),
      fact('run-ended', { finished: true, exit: 0, reasons: [] }),
    ],
    false,
    ['ready later'],
  ],
  [
    'a person’s own branch has nothing to merge',
    [...begun, fact('run-ended', { finished: true, exit: 0, reasons: [] })],
    false,
    [],
  ],
  [
    'the question stands first',
    [...begun, fact('stuck', { task: '1' }), setAside('parked')],
    true,
    ['question now 2', 'stuck soon 1'],
  ],
])('%s', (_, facts, live, needs) => {
  expect(needsOf(facts, live)).toEqual(needs);
});

test.each([
  ['Which table?', []],
  ['Which one?\n- accounts\n- users', ['accounts', 'users']],
  ['Which one?\n1. accounts\n2) users', ['accounts', 'users']],
  ['Which one?\n(a) accounts\n(b) users', ['accounts', 'users']],
  [
    'Keep the old route (a) as it is, (b) as a redirect, or (c) not at all?',
    ['as it is', 'as a redirect', 'not at all'],
  ],
  ['Only one:\n- accounts', []],
])('the answers of %j', (question, options) => {
  expect(optionsOf(question)).toEqual(options);
});

test.each([
  ['Which one?\n- a\n- b,', 'Which one?'],
  [`Which one?\n- a\n- b\n- ${'c'.repeat(121)}`, `Which one?\n- ${'c'.repeat(121)}`],
  [
    'Which?\n(a) keep, (b) move, (c) drop (no way back)',
    'Which?\n(a) keep, (b) move, (c) drop (no way back)',
  ],
])('what no key answers stays in the words of %j', (reason, text) => {
  const [need] = view([...begun, setAside('parked', { reason })], true).needs;
  expect(need).toMatchObject({ text, options: expect.arrayContaining([expect.any(String)]) });
});

test('what a person says to a run that stands still is no work of it, and an answer that is waited for neither', () => {
  const stopped = [...begun, over(1, 'task-failed')];
  const { takenMs } = view(stopped, false);
  expect(view([...stopped, byPerson('skip'), byPerson('retry')], false).takenMs).toBe(takenMs);
  expect(view(begun, true).isAtWork).toBe(true);
  expect(view([...begun, fact('waiting', { why: 'limit' })], true).isAtWork).toBe(true);
  expect(view([...begun, fact('waiting', { why: 'answer' })], true).isAtWork).toBe(false);
});

test('of several lanes every task in work is told', () => {
  const facts = [
    ...begun,
    fact('task-started', { task: '1' }),
    fact('session-started', { session: 3, task: '2' }),
    fact('session-started', { session: 4, task: '1' }),
  ];
  expect(view(facts, true).inWork.map(({ id, session }) => `${id}: ${session}`)).toEqual(['1: 4', '2: 3']);
});

test('an attempt has the number that the log gives it, whether or not those before it count', () => {
  const facts = [
    ...begun,
    fact('attempt-started', { task: '2', attempt: 1 }),
    fact('round-ended', { task: '2', verdict: 'wait', counts: false }),
    fact('attempt-started', { task: '2', attempt: 2 }),
  ];
  expect(view(facts, true).inWork[0]?.attempt).toBe(2);
});

test.each<[what: string, closed: number, left: number, leftMs: number | undefined]>([
  ['one closed task says nothing', 1, 3, undefined],
  ['two and two more: as long again', 2, 2, 120_000],
  ['nothing is left', 2, 0, undefined],
])('forecast: %s', (_, closed, left, leftMs) => {
  const ids = Array.from({ length: closed + left }, (_, at) => String(at + 1));
  const [first] = fact('plan-read').tasks;
  if (!first) throw new Error('no task');
  const plan = fact('plan-read', { tasks: ids.map((id) => ({ ...first, id, closed: false })) });
  const work = ids
    .slice(0, closed)
    .flatMap((task) => [
      fact('task-started', { task }),
      fact('session-started', { session: Number(task), task }),
      fact('session-ended', { session: Number(task) }),
      fact('task-closed', { task }),
    ]);
  expect(view([fact('run-started'), plan, ...work], true).forecast?.leftMs).toBe(leftMs);
});
