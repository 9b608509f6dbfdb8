import { describe, expect, test } from 'vitest';
import type { FactOf } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import type { RunState } from '../../src/journal/state.ts';
import { findQueue, judgeQueue, type QueuedRun, startsNext } from '../../src/phase/judge-queue.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const plans = ['a.md', 'b.md'];
const queue = { queue: 'q1', plans, base: 'main' };

/** A run by its id, as it is after these facts. */
function run(
  id: string,
  plan: string,
  how: { queue?: string; of?: readonly string[]; finished?: boolean; resumed?: boolean },
): QueuedRun {
  const facts = [
    fact('run-started', { run: id, plan }),
    ...(how.resumed ? [fact('run-ended', { finished: false }), fact('run-resumed', { after: 'stop' })] : []),
    ...(how.queue === undefined
      ? []
      : [fact('queued', { queue: how.queue, plans: [...(how.of ?? plans)], base: 'main' })]),
    ...(how.finished === undefined ? [] : [fact('run-ended', { finished: how.finished })]),
  ];
  return { run: id, plan, state: foldRun(stampAll(facts)) as RunState };
}

const q1 = { queue: 'q1', finished: true };

describe('findQueue', () => {
  test.each<[string, readonly QueuedRun[], string | undefined]>([
    ['no run at all', [], undefined],
    ['a run alone', [run('1', 'a.md', { finished: true })], undefined],
    ['the first is done', [run('1', 'a.md', q1)], 'q1'],
    ['all are done', [run('2', 'b.md', q1), run('1', 'a.md', q1)], undefined],
    ['one stopped', [run('2', 'b.md', { queue: 'q1', finished: false }), run('1', 'a.md', q1)], 'q1'],
    ['one was cut off', [run('2', 'b.md', { queue: 'q1' }), run('1', 'a.md', q1)], 'q1'],
    ['other plans', [run('1', 'a.md', { queue: 'q1', of: ['a.md', 'c.md'] })], undefined],
    ['another order', [run('1', 'a.md', { queue: 'q1', of: ['b.md', 'a.md'] })], undefined],
    ['fewer plans', [run('1', 'a.md', { queue: 'q1', of: ['a.md'] })], undefined],
    ['the newest of two', [run('2', 'a.md', { queue: 'q2', finished: false }), run('1', 'a.md', q1)], 'q2'],
    ['the rest done alone, later', [run('2', 'b.md', { finished: true }), run('1', 'a.md', q1)], undefined],
  ])('%s', (_, runs, expected) => {
    expect(findQueue(runs, plans)?.queue).toBe(expected);
  });
});

describe('judgeQueue', () => {
  test.each<[string, readonly QueuedRun[], readonly (readonly [string | undefined, boolean])[]]>([
    [
      'nothing begun',
      [],
      [
        [undefined, false],
        [undefined, false],
      ],
    ],
    [
      'a run before the queue does not count',
      [run('2', 'b.md', q1), run('1', 'a.md', { finished: true })],
      [
        [undefined, false],
        ['2', true],
      ],
    ],
    [
      'a run taken up by the queue does',
      [run('2', 'b.md', q1), run('1', 'a.md', { ...q1, resumed: true })],
      [
        ['1', true],
        ['2', true],
      ],
    ],
    [
      'a later one alone does',
      [run('3', 'a.md', { finished: false }), run('1', 'a.md', q1)],
      [
        ['3', false],
        [undefined, false],
      ],
    ],
    [
      'only taken up ones',
      [run('1', 'a.md', { ...q1, resumed: true })],
      [
        ['1', true],
        [undefined, false],
      ],
    ],
  ])('%s', (_, runs, expected) => {
    expect(judgeQueue(queue, runs).map(({ run: each, isDone }) => [each?.run, isDone])).toEqual(expected);
  });
});

describe('startsNext', () => {
  const reached = (budget: 'day' | 'cost', share: 0.8 | 1, day = '2026-11-22'): FactOf<'budget-reached'> =>
    fact('budget-reached', { budget, share, ...(budget === 'day' ? { day } : {}) });
  test.each<[number, readonly FactOf<'budget-reached'>[], boolean]>([
    ...[0, 1, 3, 4].map((exit): [number, [], boolean] => [exit, [], true]),
    ...[2, 6, 7, 8, 70, 129, 130, 143].map((exit): [number, [], boolean] => [exit, [], false]),
    [5, [], true],
    [5, [reached('cost', 1)], true],
    [5, [reached('day', 0.8)], true],
    [5, [reached('day', 1)], false],
    [5, [reached('day', 1, '2026-11-21'), reached('cost', 1)], true],
  ])('exit %i with %j: %s', (exit, budgetsReached, expected) => {
    expect(startsNext(exit, { budgetsReached }, '2026-11-22')).toBe(expected);
  });
});
