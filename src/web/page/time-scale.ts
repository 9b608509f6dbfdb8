// Where bars and marks are drawn, in percent of a row's width. Bars too close are merged, so that a week of sessions
// costs no more; marks stand side by side.
import type { Bar } from '../view.ts';

export type Range = Readonly<{ begin: number; end: number }>;

/** `count`: how many it stands for; `bar` is the most serious. */
export type DrawnBar = Readonly<{ bar: Bar; left: number; width: number; count: number }>;

/** The narrowest bar, the distance within which several merge, and the room of a mark. */
const leastWidth = 0.8;
const together = 1.6;
const markWidth = 4.6;

/** Red before the work is as it should be: the green after it says more. */
const gravity: readonly Bar['tone'][] = ['plain', 'warn', 'good', 'bad'];

const graver = (a: Bar, b: Bar): Bar => (gravity.indexOf(b.tone) > gravity.indexOf(a.tone) ? b : a);

export function drawBars(bars: readonly Bar[], range: Range): readonly DrawnBar[] {
  const share = shareOf(range);
  const drawn: DrawnBar[] = [];
  for (const bar of bars) {
    const left = share(bar.from);
    const width = Math.max(leastWidth, share(bar.to) - left);
    const last = drawn.at(-1);
    if (last && left + width - last.left <= together)
      drawn[drawn.length - 1] = {
        bar: graver(last.bar, bar),
        left: last.left,
        width: Math.max(last.width, left + width - last.left),
        count: last.count + 1,
      };
    else drawn.push({ bar, left, width, count: 1 });
  }
  return drawn;
}

/** As close to its bar's end as neighbours let it; too many are merged. */
export function spreadMarks(bars: readonly Bar[], range: Range): readonly DrawnBar[] {
  const share = shareOf(range);
  const ends = bars.map((bar) => ({ bar, left: share(bar.to), width: 0, count: 1 }));
  const most = Math.floor(100 / markWidth);
  const marks = ends.length <= most ? ends : mergeClosest(ends);
  const placed: DrawnBar[] = [];
  for (const mark of marks) {
    const free = (placed.at(-1)?.left ?? -markWidth / 2) + markWidth;
    placed.push({ ...mark, left: Math.max(mark.left, free) });
  }
  // What was pushed out at the end goes back.
  let limit = 100 - markWidth / 2;
  return placed
    .toReversed()
    .map((mark) => {
      const left = Math.min(mark.left, limit);
      limit = left - markWidth;
      return { ...mark, left };
    })
    .toReversed();
}

function mergeClosest(marks: readonly DrawnBar[]): readonly DrawnBar[] {
  const slots = Map.groupBy(marks, ({ left }) => Math.floor(Math.min(left, 99.9) / markWidth));
  return [...slots.values()].flatMap((slot) => {
    const [first] = slot;
    const bar = first && slot.map((mark) => mark.bar).reduce(graver);
    return bar ? { ...first, bar, count: slot.length } : [];
  });
}

function shareOf({ begin, end }: Range): (at: string | undefined) => number {
  return (at) =>
    (Math.min(1, Math.max(0, ((at === undefined ? end : Date.parse(at)) - begin) / (end - begin))) || 0) *
    100;
}

/** Overlapping bars, over as few rows as show each. */
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
