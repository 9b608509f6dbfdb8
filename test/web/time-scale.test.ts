// Bars and marks of a timeline as they are drawn: bars too close to be told apart are one, as grave as the gravest of them;
// marks never lie on each other.
import { expect, test } from 'vitest';
import { drawBars, spreadMarks, stackBars } from '../../src/web/page/time-scale.ts';
import type { Bar } from '../../src/web/view.ts';

const second = (at: number) => new Date(at * 1000).toISOString();
const bar = (from: number, to: number | undefined, tone: Bar['tone'] = 'plain'): Bar => ({
  ...{ kind: 'session', from: second(from), tone, says: `from ${from}` },
  ...(to === undefined ? {} : { to: second(to) }),
});

/** A hundred seconds, a percent each. */
const range = { begin: 0, end: 100_000 };

const drawn = (bars: readonly Bar[]) =>
  drawBars(bars, range).map(
    ({ bar: { says, tone }, left, width, count }) =>
      `${+left.toFixed(1)}–${+(left + width).toFixed(1)} ${tone} ${says}${count > 1 ? ` ×${count}` : ''}`,
  );

test.each<[what: string, bars: readonly Bar[], shown: readonly string[]]>([
  ['each its own', [bar(0, 50), bar(50, 60, 'bad')], ['0–50 plain from 0', '50–60 bad from 50']],
  ['a short one is still seen', [bar(7, 7)], ['7–7.8 plain from 7']],
  ['close ones are the gravest', [bar(0, 0.3), bar(0.5, 0.8, 'bad')], ['0–1.3 bad from 0.5 ×2']],
  ['green after red before the work', [bar(0, 0, 'warn'), bar(0.5, 0.5, 'good')], ['0–1.3 good from 0.5 ×2']],
  ['a long one swallows none', [bar(0, 50), bar(50, 51, 'bad')], ['0–50 plain from 0', '50–51 bad from 50']],
  ['one that goes on', [bar(90, undefined)], ['90–100 plain from 90']],
])('%s', (_, bars, shown) => {
  expect(drawn(bars)).toEqual(shown);
});

test('ten thousand bars cost no more than the row is wide', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => bar(n / 100, n / 100 + 0.005));
  expect(drawn(many).length).toBeLessThanOrEqual(126);
});

const leftOf = (ends: readonly number[]) =>
  spreadMarks(
    ends.map((at) => bar(at, at, 'good')),
    range,
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

test('more marks than fit are merged, and none lies on another', () => {
  const left = leftOf(Array.from({ length: 500 }, (_, n) => n / 5));
  expect(left.length).toBeLessThanOrEqual(22);
  expect(left.every((at, n) => n === 0 || at - (left[n - 1] ?? 0) > 4.5)).toBe(true);
});

test('bars side by side are in rows of their own', () => {
  const rows = stackBars([bar(0, 10), bar(0, 20), bar(10, 30), bar(15, undefined), bar(40, 50)]);
  expect(rows.map((row) => row.map(({ says }) => says))).toEqual([
    ['from 0', 'from 10', 'from 40'],
    ['from 0'],
    ['from 15'],
  ]);
});
