import { expect, test } from 'vitest';
import { eventVersion, type Fact, type Stamped } from '../../src/event.ts';
import { foldLandings, noLandings } from '../../src/journal/fold-landings.ts';
import { fact } from '../helpers/facts.ts';

type Row = readonly [lane: number | undefined, fact: Fact];

const fold = (...rows: readonly Row[]) =>
  rows
    .map(([lane, of]): Stamped<Fact> => {
      const at = new Date(0).toISOString();
      return { ...of, v: eventVersion, at, ...(lane === undefined ? {} : { lane }) };
    })
    .reduce(foldLandings, noLandings);

const begun = (task: string) => fact('task-started', { task });
const closed = (task: string) => fact('task-closed', { task });

test('a run without lanes has none', () => {
  expect(fold([undefined, begun('1')], [undefined, closed('1')])).toBe(noLandings);
});

test('lanes are counted, and their tasks are in the order in which they landed', () => {
  const { order, lanes, waitedMs } = fold(
    [1, begun('1')],
    [2, begun('2')],
    [2, closed('2')],
    [1, fact('landing-waited', { task: '1', lane: 1, ms: 4000 })],
    [1, closed('1')],
  );
  expect(order).toEqual([
    { task: '2', lane: 2 },
    { task: '1', lane: 1 },
  ]);
  expect([...lanes]).toEqual([1, 2]);
  expect(waitedMs).toBe(4000);
});

test('what stood in the way is kept', () => {
  const { caughtUp, givenBack, kept } = fold(
    [2, begun('2')],
    [2, fact('lane-caught-up')],
    [2, fact('landing-given-back', { task: '2' })],
    [undefined, fact('landing-kept', { files: ['a', 'b'] })],
    [undefined, fact('landing-kept', { files: ['b'] })],
  );
  expect({ caughtUp, kept, back: givenBack.length }).toEqual({
    caughtUp: 1,
    kept: ['a', 'b'],
    back: 1,
  });
});
