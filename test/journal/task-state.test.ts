// The word of a closed task before and after its experiments: for those who show, count and judge it.
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { isProofPending, proofWordOf } from '../../src/journal/task-state.ts';
import { judgeProofs } from '../../src/phase/judge-proofs.ts';
import { reportWork } from '../../src/report/view/report-work.ts';
import { listInWork } from '../../src/report/view/works.ts';
import { fact, stateOf } from '../helpers/facts.ts';

const pending = fact('task-closed', { proof: 'passed', pending: { turnedGreen: true } });
const judged = (word: 'proven' | 'passed') => fact('proof-judged', { task: '2', word, reasons: ['why'] });

type Told = Readonly<{ word: string; pending: boolean; lacking: number; says: string }>;

test.each<[string, readonly Fact[], Partial<Told>]>([
  [
    'closed, experiments to come',
    [pending],
    { word: 'passed', pending: true, lacking: 0, says: 'closed, proof to come' },
  ],
  ['and then proven', [pending, judged('proven')], { word: 'proven', pending: false }],
  ['and then not', [pending, judged('passed')], { word: 'passed', lacking: 1, says: 'passed' }],
  [
    'closed anew: the old word no longer counts',
    [pending, judged('proven'), fact('task-reopened'), pending],
    { word: 'passed', pending: true },
  ],
  ['closed with the last word', [fact('task-closed')], { word: 'proven', pending: false }],
  ['judged before it closed', [fact('task-closed'), judged('proven')], { word: 'proven' }],
])('%s', (_, facts, expected) => {
  const state = stateOf(fact('task-started'), ...facts);
  const task = state.tasks.get('2');
  if (!task) throw new Error('it begins with the task');
  const told: Told = {
    word: proofWordOf(task) ?? '',
    pending: isProofPending(task),
    lacking: judgeProofs(state, 'proven').length,
    says: reportWork(state, task.id)?.word ?? '',
  };
  expect(told).toMatchObject(expected);
});

test('a fix is in work until it has ended', () => {
  const begun = [fact('work-planned'), fact('task-started', { task: 'fix-first-1' })];
  const inWork = (...facts: readonly Fact[]) => listInWork(stateOf(...begun, ...facts)).map(({ id }) => id);
  expect(inWork()).toEqual(['fix-first-1']);
  expect(inWork(fact('work-ended', { result: 'failed' }))).toEqual([]);
});

test('a task that closed unchecked lacks a proof unless none is required', () => {
  const state = stateOf(fact('task-started'), fact('task-closed', { proof: 'unchecked' }));
  const lacking = (['proven', 'passed', 'unchecked'] as const).map((word) => judgeProofs(state, word).length);
  expect(lacking).toEqual([1, 1, 0]);
});
