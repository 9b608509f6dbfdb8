// Where bars and marks of a timeline are drawn, in percent of a row's width.
import type { Bar } from '../../report/view/run-view.ts';

/** Epoch milliseconds. */
export type Range = Readonly<{ begin: number; end: number }>;

export const markWidth = 4.6;

/** The newest that fit, as close to their ends as neighbours let them. */
export function placeMarks(
  bars: readonly Bar[],
  range: Range,
): readonly Readonly<{ bar: Bar; left: number }>[] {
  const placed: { bar: Bar; left: number }[] = [];
  for (const bar of bars.slice(-Math.floor(100 / markWidth))) {
    const free = (placed.at(-1)?.left ?? -markWidth / 2) + markWidth;
    placed.push({ bar, left: Math.max(shareOf(bar.to, range), free) });
  }
  // What was pushed out at the end goes back.
  let limit = 100 - markWidth / 2;
  for (const mark of placed.toReversed()) {
    mark.left = Math.min(mark.left, limit);
    limit = mark.left - markWidth;
  }
  return placed;
}

/** Of an instant; without one, of the end. */
export function shareOf(at: string | undefined, { begin, end }: Range): number {
  const ms = at === undefined ? end : Date.parse(at);
  return Math.min(100, Math.max(0, ((ms - begin) / (end - begin)) * 100)) || 0;
}
