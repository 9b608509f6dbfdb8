// Bars of a timeline as they are drawn: those too close to be told apart are one, as grave as the gravest of them.
import { expect, test } from 'vitest';
import { listDrawn, stackBars } from '../../src/web/page/drawn-bars.ts';
import type { Bar } from '../../src/web/view.ts';

const second = (at: number) => new Date(at * 1000).toISOString();
const bar = (from: number, to: number | undefined, tone: Bar['tone'] = 'plain'): Bar => ({
  ...{ kind: 'session', from: second(from), tone, says: `from ${from}` },
  ...(to === undefined ? {} : { to: second(to) }),
});

/** Shows so many seconds, a pixel each. */
const drawn = (bars: readonly Bar[], begin = 0, end = 1000) =>
  listDrawn(bars, {
    begin: begin * 1000,
    end: end * 1000,
    x: (at) => Math.min(end, Math.max(begin, at / 1000)) - begin,
  }).map(
    ({ bar: { says, tone }, left, right, count }) =>
      `${left}–${right} ${tone} ${says}${count > 1 ? ` ×${count}` : ''}`,
  );

test.each<[what: string, bars: readonly Bar[], shown: readonly string[]]>([
  ['each its own', [bar(0, 50), bar(50, 60, 'bad')], ['0–50 plain from 0', '50–60 bad from 50']],
  ['a short one is still seen', [bar(7, 7)], ['7–9 plain from 7']],
  ['close ones are the gravest', [bar(0, 1), bar(2, 3, 'bad'), bar(4, 5, 'warn')], ['0–6 bad from 2 ×3']],
  ['green after red before the work', [bar(0, 1, 'warn'), bar(2, 3, 'good')], ['0–4 good from 2 ×2']],
  ['a long one swallows none', [bar(0, 50), bar(50, 51, 'bad')], ['0–50 plain from 0', '50–52 bad from 50']],
  ['one that goes on', [bar(900, undefined)], ['900–1000 plain from 900']],
])('%s', (_, bars, shown) => {
  expect(drawn(bars)).toEqual(shown);
});

test('what lies outside is not drawn', () => {
  expect(drawn([bar(0, 10), bar(90, 110), bar(300, 310)], 100, 200)).toEqual(['0–10 plain from 90']);
});

test('ten thousand bars cost no more than the row is wide', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => bar(n / 10, n / 10 + 0.05));
  expect(drawn(many).length).toBeLessThanOrEqual(334);
});

test('bars side by side are in rows of their own', () => {
  const rows = stackBars([bar(0, 10), bar(0, 20), bar(10, 30), bar(15, undefined), bar(40, 50)]);
  expect(rows.map((row) => row.map(({ says }) => says))).toEqual([
    ['from 0', 'from 10', 'from 40'],
    ['from 0'],
    ['from 15'],
  ]);
});
