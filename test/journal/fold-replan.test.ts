// What a changed plan does to the tasks: those begun begin once more, those it is about get new attempts, closed ones stay.
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../src/event.ts';
import type { TaskState } from '../../src/journal/task-state.ts';
import { fact, setAside, stateOf } from '../helpers/facts.ts';

const tasks = ['1', '2', '3', '4'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
const failed = (task: string): readonly Fact[] => [
  fact('task-started', { task }),
  fact('attempt-started', { task, attempt: 1 }),
  fact('round-ended', { task, attempt: 1, verdict: 'fail', counts: true }),
];

function fold(result: FactOf<'replan-ended'>['result']): ReadonlyMap<string, TaskState> {
  const state = stateOf(
    fact('plan-read', { tasks }),
    fact('task-started', { task: '1' }),
    fact('closing', { task: '1' }),
    fact('task-closed', { task: '1' }),
    ...failed('3'),
    setAside('failed', { task: '3' }),
    ...failed('2'),
    setAside('parked', { task: '4', rescue: 'r1' }),
    fact('task-started', { task: '4' }),
    fact('replan-started', { replan: 1, task: '2' }),
    fact('replan-taking', { replan: 1, added: ['2a'], changed: ['2', '3'] }),
    fact('replan-ended', { replan: 1, result, rescue: 'r9' }),
  );
  expect(state.replans).toMatchObject([{ started: { task: '2' }, taking: {}, ended: { result } }]);
  return state.tasks;
}

test('taken', () => {
  const now = fold('taken');
  expect(now.get('1')).toMatchObject({ standing: { is: 'closed' }, work: { is: 'here' } });
  expect(now.get('2')).toMatchObject({
    standing: { is: 'open' },
    work: { is: 'discarded', rescue: 'r9' },
    counted: [],
    attemptsEver: 1,
  });
  expect(now.get('3')).toMatchObject({ standing: { is: 'open' }, work: { is: 'discarded' }, counted: [] });
  // Its own work was parked, and was on its way back.
  expect(now.get('4')).toMatchObject({ work: { is: 'saved', rescue: 'r1' } });
});

test.each(['refused', 'unchanged', 'failed'] as const)('%s: nothing changes', (result) => {
  const now = fold(result);
  expect(now.get('2')).toMatchObject({
    standing: { is: 'open' },
    work: { is: 'here' },
  });
  expect(now.get('3')).toMatchObject({ standing: { is: 'failed' } });
});
