// Which facts are told, with which priority and in which words.
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldFact, foldRun } from '../../src/journal/fold.ts';
import { readItems } from '../../src/notify/occasion.ts';
import { fact, sampleFacts, setAside, stampAll } from '../helpers/facts.ts';

const state = foldRun(stampAll([fact('run-started'), fact('plan-read')]));

function told(one: Fact): string {
  const [stamped] = stampAll([one]);
  if (!stamped) throw new Error('one fact');
  const items = readItems(stamped, foldFact(state, stamped), { before: state, clean: (text) => text });
  const words = items.map(({ title, text, event: { occasion, priority, command = '' } }) =>
    [`${occasion} ${priority}: ${title}`, text, command].join(' | '),
  );
  return words.join('\n') || '–';
}

test.each<readonly [Fact, string]>([
  [
    setAside('parked', { task: '2', reason: 'Which?' }),
    'needs-input 5: Task 2 asks you | Which? | pawl answer 2 "…"',
  ],
  [
    fact('stuck'),
    'stuck 4: Task 2 is stuck | No progress: attempt 2 ended with the same failure as attempt 1 | pawl steer --task 2 "…"',
  ],
  [fact('stuck', { step: 'give-up' }), '–'],
  [setAside('failed', { task: '2', reason: 'red' }), 'failed 5: Task 2 failed | red | pawl retry 2'],
  // The review says it.
  [setAside('failed', { task: 'fix-1', reason: 'red' }), '–'],
  [
    fact('budget-reached', { budget: 'cost', share: 0.8, spent: 4.1, cap: 5, atLeast: false }),
    'budget 3: A budget is nearly spent | 81% of the budget of this run is spent: $4.10 of $5.00 | pawl set budget <dollars>',
  ],
  [
    fact('budget-reached', { budget: 'sessions', share: 1, spent: 5, cap: 5, atLeast: false }),
    'budget 5: A budget is spent | The budget of sessions is spent: 5 sessions of 5 sessions; nothing new starts | ',
  ],
  [
    fact('agent-switched', { from: 'claude', to: 'codex', why: 'limit' }),
    'agent-switched 2: codex continues | claude is at a usage limit. | ',
  ],
  [
    fact('agent-switched', { from: 'codex', to: 'claude', why: 'back' }),
    'agent-switched 1: claude continues | Its usage limit is over; codex had taken over. | ',
  ],
  [
    fact('waiting', { why: 'ci', until: new Date(2026, 10, 22, 2, 30).getTime() }),
    'limit 2: Waiting for CI | 5-hour limit reached; it continues by itself at Sun 22 Nov, 02:30 | pawl continue',
  ],
  [fact('waiting', { why: 'crash' }), '–'],
  [fact('waiting', { why: 'answer' }), '–'],
  [
    fact('stage-ended', { stage: 'first', end: 'open', open: ['F1', 'F2'] }),
    'review 4: The review is not clean | Stage first ended open, with 2 open findings. | pawl report --findings',
  ],
  [fact('stage-ended', { end: 'clean' }), '–'],
  [fact('stage-ended', { end: 'skipped' }), '–'],
  [fact('run-resumed', { after: 'stop' }), '–'],
  [fact('task-closed'), 'task-done 1: Task 2 is done, proven | 3 files, +40 −2 | '],
  [
    fact('run-ended', { exit: 0, reasons: [], finished: true }),
    'done 3: Finished | 0 of 2 tasks proven, 1 closed before, 1 open, 0.0s. | pawl report',
  ],
  [
    fact('run-ended', { exit: 0, reasons: [], finished: false }),
    'done 3: Stopped as asked | 0 of 2 tasks proven, 1 closed before, 1 open, 0.0s. | pawl run docs/plans/auth.md',
  ],
  [
    fact('run-ended'),
    'failed 5: Stopped: a task failed | task 2 failed: red: npm test. 0 of 2 tasks proven, 1 closed before, 1 open, 0.0s. | pawl run docs/plans/auth.md',
  ],
  [
    fact('run-ended', { exit: 3, reasons: [{ exit: 3, code: 'needs-person', text: 'task 2 asks: Which?' }] }),
    'needs-input 5: Stopped: needs a person | The run has ended and waits for you. 0 of 2 tasks proven, 1 closed before, 1 open, 0.0s. | pawl run docs/plans/auth.md',
  ],
  [fact('run-ended', { exit: 130, reasons: [] }), '–'],
])('%j', (one, says) => {
  expect(told(one)).toBe(says);
});

test.each([
  [4, 'review', 4],
  [5, 'budget', 5],
  [6, 'limit', 4],
  [7, 'failed', 5],
  [8, 'failed', 5],
  [143, 'failed', 5],
])('an end with exit %i is told as %s', (exit, occasion, priority) => {
  expect(told(fact('run-ended', { exit, reasons: [] }))).toMatch(new RegExp(`^${occasion} ${priority}: `));
});

test('nothing else is told', () => {
  const types = Object.values(sampleFacts)
    .filter((one) => told(one) !== '–')
    .map(({ type }) => type);
  expect(types.sort()).toEqual([
    ...[
      'agent-switched',
      'budget-reached',
      'run-ended',
      'run-resumed',
      'stuck',
      'task-closed',
      'task-set-aside',
    ],
    ...['waiting'],
  ]);
});

test('all words of a message are cleaned, the run’s title too', () => {
  const [stamped] = stampAll([fact('run-ended', { exit: 1 })]);
  if (!stamped) throw new Error('one fact');
  const [item] = readItems(stamped, foldFact(state, stamped), { before: state, clean: () => '*' });
  expect(item).toMatchObject({
    title: '*',
    text: '*',
    event: { about: { title: '*' }, end: { error: '*' } },
  });
});
