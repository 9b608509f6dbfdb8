// Which bars of a timeline's row are drawn, in pixels: those too close to be distinguished are merged, so that a week of
// sessions costs no more than the row's width.
import type { Bar } from '../view.ts';

/** A bar in pixels. `count`: how many it stands for; `bar` is the most serious of them. */
export type DrawnBar = Readonly<{ bar: Bar; left: number; right: number; count: number }>;

/** The visible range, in epoch milliseconds, and how an instant becomes a pixel. */
export type Scale = Readonly<{ begin: number; end: number; x: (at: number) => number }>;

/** The narrowest visible bar, and the distance within which several are merged. */
const leastPx = 2;
const togetherPx = 6;

/** Red before the work is as it should be: what turned green after it says more. */
const gravity: readonly Bar['tone'][] = ['plain', 'warn', 'good', 'bad'];

/** The bars of one row, which must be sorted by their beginnings. */
export function listDrawn(bars: readonly Bar[], scale: Scale): readonly DrawnBar[] {
  const drawn: DrawnBar[] = [];
  for (const bar of bars) {
    const from = Date.parse(bar.from);
    const to = bar.to === undefined ? scale.end : Date.parse(bar.to);
    if (to < scale.begin || from > scale.end) continue;
    const left = scale.x(from);
    const right = Math.max(left + leastPx, scale.x(to));
    const last = drawn.at(-1);
    if (last && right - last.left <= togetherPx)
      drawn[drawn.length - 1] = {
        bar: gravity.indexOf(bar.tone) > gravity.indexOf(last.bar.tone) ? bar : last.bar,
        left: last.left,
        right: Math.max(last.right, right),
        count: last.count + 1,
      };
    else drawn.push({ bar, left, right, count: 1 });
  }
  return drawn;
}

/** Distributes overlapping bars, such as those of concurrent reviewers, over as few rows as show each of them. */
export function stackBars(bars: readonly Bar[]): readonly (readonly Bar[])[] {
  const rows: { until: string; bars: Bar[] }[] = [];
  for (const bar of bars) {
    const until = bar.to ?? '~';
    const free = rows.find((row) => row.until <= bar.from);
    if (free) {
      free.bars.push(bar);
      free.until = until;
    } else rows.push({ until, bars: [bar] });
  }
  return rows.map((row) => row.bars);
}
