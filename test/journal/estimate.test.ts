// What tasks may take, from those of earlier runs: which of these count, and the range they give.
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { estimateTasks, type TaskTook, tookOfTasks } from '../../src/journal/run-stats.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const closed = (task: string, cost = {}) => [
  fact('task-started', { task }),
  fact('session-started', { session: Number(task), task, attempt: 1 }),
  fact('session-ended', { session: Number(task), costUsd: 1, costAtLeast: false, ...cost }),
  fact('task-closed', { task }),
];

function took(...facts: readonly Fact[]) {
  const tasks = ['1', '2', '3'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
  const read = fact('plan-read', { tasks });
  const stamped = stampAll([fact('run-started', { run: 'a' }), read, ...facts]);
  const state = foldRun(stamped);
  if (!state) throw new Error('it begins with a start');
  return tookOfTasks(state);
}

test.each<[string, readonly Fact[], readonly Partial<TaskTook>[]]>([
  ['a closed task counts', closed('1'), [{ run: 'a', costUsd: 1 }]],
  ['two', [...closed('1'), ...closed('2', { costUsd: 3 })], [{ costUsd: 1 }, { costUsd: 3 }]],
  ['a cost that may be more is unknown', closed('1', { costAtLeast: true }), [{ run: 'a' }]],
  ['one that is not closed does not count', closed('1').slice(0, -1), []],
  [
    'one that was closed without a session neither',
    [fact('task-started', { task: '1' }), fact('task-closed', { task: '1' })],
    [],
  ],
])('%s', (_, facts, expected) => {
  const found = took(...facts);
  expect(found).toMatchObject(expected);
  expect(found).toHaveLength(expected.length);
  expect(found.map(({ costUsd }) => costUsd)).toEqual(expected.map(({ costUsd }) => costUsd));
  expect(found.every(({ ms }) => ms > 0)).toBe(true);
});

const tasks = (...list: readonly (readonly [run: string, ms: number, costUsd?: number])[]) =>
  list.map(([run, ms, costUsd]) => ({ run, ms, ...(costUsd === undefined ? {} : { costUsd }) }));

test.each<[string, number, readonly TaskTook[], ReturnType<typeof estimateTasks>]>([
  ['nothing to go by', 3, [], undefined],
  ['no task', 0, tasks(['a', 10, 1]), undefined],
  [
    'one task',
    3,
    tasks(['a', 10, 1]),
    { ms: { low: 30, high: 30 }, costUsd: { low: 3, high: 3 }, from: { tasks: 1, runs: 1 } },
  ],
  [
    'the middle one and the slow quarter, whatever their order',
    2,
    tasks(['a', 50, 9], ['b', 10, 1], ['a', 20, 2], ['b', 40, 4], ['a', 30, 3]),
    { ms: { low: 60, high: 80 }, costUsd: { low: 6, high: 8 }, from: { tasks: 5, runs: 2 } },
  ],
  [
    'between two',
    1,
    tasks(['a', 10], ['a', 20]),
    { ms: { low: 15, high: 17.5 }, from: { tasks: 2, runs: 1 } },
  ],
  [
    'a cost that is known of some',
    1,
    tasks(['a', 10, 2], ['a', 10]),
    { ms: { low: 10, high: 10 }, costUsd: { low: 2, high: 2 }, from: { tasks: 2, runs: 1 } },
  ],
])('%s', (_, count, history, estimate) => {
  expect(estimateTasks(count, history)).toEqual(estimate);
});
