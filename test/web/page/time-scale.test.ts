// Where the marks of a timeline are drawn: never on each other.
import { expect, test } from 'vitest';
import { placeMarks } from '../../../src/web/page/time-scale.ts';

/** A hundred seconds, a percent each. */
const leftOf = (ends: readonly number[]) =>
  placeMarks(
    ends.map((end) => {
      const at = new Date(end * 1000).toISOString();
      return { kind: 'checks', from: at, to: at, tone: 'good', says: '' };
    }),
    { begin: 0, end: 100_000 },
  ).map(({ left }) => +left.toFixed(1));

test.each<[what: string, ends: readonly number[], left: readonly number[]]>([
  ['one stays where it belongs', [50], [50]],
  ['the first is whole', [0], [2.3]],
  ['the last is whole', [100], [97.7]],
  ['close ones stand side by side, in order', [50, 50.1, 50.2], [50, 54.6, 59.2]],
  ['at the end they go back', [99, 99, 100], [88.5, 93.1, 97.7]],
])('marks: %s', (_, ends, left) => {
  expect(leftOf(ends)).toEqual(left);
});

test('of more marks than fit, the newest are shown', () => {
  const left = leftOf(Array.from({ length: 500 }, (_, n) => n / 5));
  expect(left).toHaveLength(21);
  expect(left.every((at, n) => n === 0 || at - (left[n - 1] ?? 0) > 4.5)).toBe(true);
});
