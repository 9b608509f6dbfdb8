import { describe, expect, test } from 'vitest';
import { eventVersion, type Fact, type Stamped } from '../../src/event.ts';
import { foldLandings, noLandings } from '../../src/journal/fold-landings.ts';
import { byPerson, fact } from '../helpers/facts.ts';

type Row = readonly [second: number, lane: number | undefined, fact: Fact];

const fold = (...rows: readonly Row[]) =>
  rows
    .map(([second, lane, of]): Stamped<Fact> => {
      const at = new Date(second * 1000).toISOString();
      return { ...of, v: eventVersion, at, ...(lane === undefined ? {} : { lane }) };
    })
    .reduce(foldLandings, noLandings);

const begun = (task: string) => fact('task-started', { task });
const closed = (task: string) => fact('task-closed', { task });

describe('work and time', () => {
  test('a run without lanes has none', () => {
    expect(fold([0, undefined, begun('1')], [9, undefined, closed('1')])).toBe(noLandings);
  });

  test('tasks at the same time are added up, the clock is not', () => {
    const { workMs, busyMs, order, lanes } = fold(
      [0, 1, begun('1')],
      [2, 2, begun('2')],
      [10, 2, closed('2')],
      [14, 1, closed('1')],
      [20, 2, begun('3')],
      [25, 2, closed('3')],
    );
    expect({ workMs, busyMs }).toEqual({ workMs: 27_000, busyMs: 19_000 });
    expect(order).toEqual([
      { task: '2', lane: 2 },
      { task: '1', lane: 1 },
      { task: '3', lane: 2 },
    ]);
    expect([...lanes]).toEqual([1, 2]);
  });

  test('waits, rests and stops are none, and waiting to land is no work', () => {
    const { workMs, busyMs, waitedMs } = fold(
      [0, 1, begun('1')],
      [10, undefined, fact('waiting')],
      [50, undefined, fact('waited')],
      [60, undefined, fact('paused')],
      [90, undefined, byPerson('continue')],
      [95, undefined, fact('run-ended')],
      [200, undefined, fact('run-resumed')],
      [210, 1, fact('attempt-started', { task: '1' })],
      [220, 1, fact('landing-waited', { task: '1', lane: 1, ms: 4000 })],
      [222, 1, closed('1')],
    );
    expect({ workMs, busyMs, waitedMs }).toEqual({ workMs: 33_000, busyMs: 37_000, waitedMs: 4000 });
  });

  test('after a crash nobody was there', () => {
    expect(
      fold([0, 1, begun('1')], [5, 1, fact('check-started')], [500, undefined, fact('run-resumed')]),
    ).toMatchObject({ workMs: 5000, busyMs: 5000 });
  });

  test.each(['failed', 'parked', 'skipped'] as const)('%s, the work is over', (as) => {
    const ended = fact('task-set-aside', { task: '1', as });
    expect(fold([0, 1, begun('1')], [5, 1, ended], [50, 2, begun('2')])).toMatchObject({ workMs: 5000 });
  });
});

test('what stood in the way is kept', () => {
  const { caughtUp, givenBack, flaky, kept } = fold(
    [0, 2, begun('2')],
    [1, 2, fact('lane-caught-up')],
    [2, 2, fact('landing-given-back', { task: '2' })],
    [3, 2, fact('landing-rerun', { result: 'red' })],
    [4, 2, fact('landing-rerun', { result: 'green' })],
    [5, undefined, fact('trunk-kept', { files: ['a', 'b'] })],
    [6, undefined, fact('trunk-kept', { files: ['b'] })],
  );
  expect({ caughtUp, kept, back: givenBack.length, flaky: flaky.length }).toEqual({
    caughtUp: 1,
    kept: ['a', 'b'],
    back: 1,
    flaky: 1,
  });
});
