// Which bars of a timeline's row are drawn, in pixels: those too close to be told apart are one, so that a week of sessions
// costs no more than the row is wide.
import type { Bar } from '../view.ts';

/** A bar in pixels. `count`: how many it stands for, of which `bar` is the gravest. */
export type DrawnBar = Readonly<{ bar: Bar; left: number; right: number; count: number }>;

/** The stretch that is shown, epoch milliseconds, and how an instant becomes a pixel. */
export type Scale = Readonly<{ begin: number; end: number; x: (at: number) => number }>;

/** The narrowest bar that is still seen, and within how much several are one. */
const leastPx = 2;
const togetherPx = 6;

/** Red before the work is as it should be: what turned green after it says more. */
const gravity: readonly Bar['tone'][] = ['plain', 'warn', 'good', 'bad'];

/** The bars of one row, which come in the order of their beginnings. */
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

/** Bars that overlap, as those of reviewers side by side, in as few rows as show each of them. */
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
