// What is left on the terminal at a run's end: how many lines, and that nothing a person must look at is missing.
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { shortReceipt } from '../../../src/report/receipt/receipt.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { fact, finalized, finalizing, stateOf } from '../../helpers/facts.ts';
import { disputedReview } from '../review-state.ts';

const ended = fact('run-ended', { exit: 0, finished: true, reasons: [] });

function receiptOf(count: number, ...more: readonly Fact[]): readonly string[] {
  const ids = Array.from({ length: count }, (_, at) => `${at + 1}`);
  const tasks = ids.map((id) => ({ id, title: `Part ${id}`, closed: false, steps: 1, manual: [] }));
  const closed = ids.flatMap((task): Fact[] => [
    fact('task-started', { task, title: `Part ${task}` }),
    closeOf(task),
  ]);
  const state = stateOf(fact('plan-read', { tasks }), ...closed, ...more, ended);
  return shortReceipt(state, { endTold: true }).map(renderLine);
}

function closeOf(task: string, change: Partial<FactOf<'task-closed'>> = {}): Fact {
  return { ...fact('task-closed', { task }), ...change };
}

test.each([1, 10, 60])('a green run of %i tasks fits in 20 lines', (count) => {
  const lines = receiptOf(count);
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.filter((line) => line.includes('git log --stat'))).toHaveLength(1);
});

test('of many tasks those to look at keep a line of their own', () => {
  const lines = receiptOf(12, closeOf('7', { proof: 'unchecked', reason: 'no check ran' }));
  expect(lines).toContain('  ✓ 11 tasks closed, with nothing to look at');
  expect(lines.filter((line) => /^ {2}! 7 /.test(line))).toHaveLength(1);
});

test('a file that no tool call named is pointed out', () => {
  const lines = receiptOf(1, closeOf('1', { unnamed: ['README.md'] }));
  expect(lines).toContain('      README.md changed, but no tool call named it');
});

test('what the review came to is one line', () => {
  const lines = receiptOf(1, ...disputedReview);
  expect(lines).toContain('Review: 1 fixed, 1 rejected, 3 opinions for you');
});

const none = fact('noticed', { code: 'no-answer', text: 'Nobody answers' });
const cost = fact('noticed', { code: 'ground-cost', text: 'A second working tree took 10 s' });
const missing = ['quality', 'testing'].flatMap((reviewer) => [
  fact('opinion-missing', { reviewer, reason: 'crashed' }),
  fact('opinion-missing', { reviewer, reason: 'crashed' }),
]);
const unanswered = [
  fact('stage-started'),
  fact('review-round-started'),
  ...missing,
  fact('stage-ended', { end: 'incomplete', reason: 'no answer from quality, testing: crashed' }),
];

const begun = [fact('stage-started', { optional: true }), fact('review-round-started')];

test.each<[string, readonly Fact[], readonly string[]]>([
  ['clean', [...begun, fact('stage-ended')], ['Review: nothing found']],
  ['not clean', unanswered, []],
  [
    'skipped',
    [...begun, fact('stage-ended', { end: 'skipped' })],
    [expect.stringMatching(/^Review: first: skipped/)],
  ],
  [
    'optional, without an answer',
    [...begun, fact('stage-ended', { end: 'incomplete' })],
    [expect.stringMatching(/^Review: first .optional.: incomplete/)],
  ],
  ['optional, and cut off', begun, [expect.stringMatching(/^Review: first .optional.: not ended/)]],
])('only a review that ended well is said to have found nothing: %s', (_, facts, words) => {
  expect(receiptOf(1, ...facts).filter((line) => line.startsWith('Review'))).toEqual(words);
});

test.each<[string, readonly Fact[], readonly string[]]>([
  ['a notice that wants something', [none], ['  ☐ Nobody answers']],
  ['what a working tree costs', [cost], []],
  ['both', [cost, none], ['  ☐ Nobody answers']],
  [
    'a finalizing that failed',
    [finalizing, finalized({ result: 'failed', reason: 'red: npm test' })],
    ['  ☐ Not finalized: red: npm test'],
  ],
  ['a finalizing that goes on', [finalizing], ['  ☐ Not finished']],
  ['a finalizing that did not', [finalizing, finalized({ result: 'committed', reason: 'green' })], []],
  [
    'reviewers who did not answer',
    unanswered,
    ['  ☐ first: incomplete after 1 round: no answer from quality, testing: crashed'],
  ],
])('for a person is listed once what is left to do: %s', (_, facts, wanted) => {
  expect(receiptOf(1, ...facts).filter((line) => line.startsWith('  ☐ '))).toEqual(wanted);
});
