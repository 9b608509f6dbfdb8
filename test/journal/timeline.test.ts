// Where the time of a run goes in which tasks are worked on at once.
import { expect, test } from 'vitest';
import { eventVersion, type Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { doings, readTimes, sumTimes } from '../../src/journal/timeline.ts';
import { fact } from '../helpers/facts.ts';

type Row = readonly [second: number, lane: number | undefined, fact: Fact];

/** Seconds by what was done and for which task; '-': none. */
function seconds(...rows: readonly Row[]): Record<string, number> {
  const all = rows.map(([second, lane, of]) => ({
    ...of,
    v: eventVersion,
    at: new Date(second * 1000).toISOString(),
    ...(lane === undefined ? {} : { lane }),
  }));
  const start = { ...fact('run-started'), v: eventVersion, at: all[0]?.at ?? '' };
  const { times, lastAt } = foldRun([start, ...all]) ?? {};
  if (!times || lastAt === undefined) throw new Error('it begins with a start');
  const { whole, byTask } = readTimes(times, lastAt);
  const ofTasks = sumTimes([...byTask.values()]);
  const sums: Record<string, number> = {};
  for (const doing of doings) {
    sums[`- ${doing}`] = (whole[doing] - ofTasks[doing]) / 1000;
    for (const [task, ms] of byTask) sums[`${task} ${doing}`] = ms[doing] / 1000;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum > 0));
}

const begun = (task: string, session: number) => [
  fact('task-started', { task }),
  fact('session-started', { task, session }),
];

test('each task has its own time, and nobody’s is counted twice', () => {
  const [start1, session1] = begun('1', 1) as [Fact, Fact];
  const [start2, session2] = begun('2', 2) as [Fact, Fact];
  expect(
    seconds(
      [0, undefined, fact('noticed')],
      [2, undefined, fact('phase', { phase: 'tasks' })],
      [2, 1, start1],
      [2, 1, session1],
      [4, 2, start2],
      [4, 2, session2],
      [10, 1, fact('turn-ended', { session: 1 })],
      [10, 1, fact('check-started', { task: '1' })],
      [13, 1, fact('check-ended', { task: '1' })],
      [13, 1, fact('session-ended', { session: 1 })],
      [14, 1, fact('task-closed', { task: '1' })],
      [17, 2, fact('turn-ended', { session: 2 })],
      [20, 2, fact('landing-waited', { task: '2', lane: 2 })],
      [20, 2, fact('session-ended', { session: 2 })],
      [20, 2, fact('task-closed', { task: '2' })],
      [23, undefined, fact('phase', { state: 'ended', phase: 'tasks' })],
    ),
  ).toEqual({ '- own': 5, '1 working': 8, '1 checking': 3, '1 own': 1, '2 working': 13, '2 waiting': 3 });
});

test('a crash and a stop are nobody’s time, once', () => {
  const [start1, session1] = begun('1', 1) as [Fact, Fact];
  expect(
    seconds(
      [0, 1, start1],
      [0, 1, session1],
      [5, 2, fact('check-started', { task: '9' })],
      [100, undefined, fact('run-resumed')],
      [110, 1, fact('attempt-started', { task: '1' })],
      [110, 1, fact('session-started', { task: '1', session: 3 })],
      [115, undefined, fact('run-ended')],
      [200, undefined, fact('run-resumed')],
    ),
  ).toMatchObject({ '- stopped': 180, '1 working': 5 });
});

test('a check before a task’s work is the task’s time, though it is told before its start', () => {
  const [start] = begun('1', 1) as [Fact];
  expect(
    seconds(
      [0, undefined, fact('phase', { phase: 'tasks' })],
      [2, undefined, fact('check-started', { task: '1', when: 'before' })],
      [5, undefined, fact('check-ended', { task: '1', when: 'before' })],
      [5, undefined, start],
      [6, undefined, fact('task-closed', { task: '1' })],
    ),
  ).toEqual({ '- own': 2, '1 checking': 3, '1 own': 1 });
});
