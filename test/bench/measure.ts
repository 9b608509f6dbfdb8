// Figures: what several runs came to, and tables of them. It measures nothing itself.

/** How much a figure measures: `smallest` tries that it works. */
export type Size = 'whole' | 'smallest';

/** What several runs of one thing came to. */
export type Spread = Readonly<{ median: number; min: number; max: number }>;

/** Median, least and most of some numbers; all NaN without any. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** A spread as `median (min–max)`, with three digits that count. */
export function formatSpread({ median, min, max }: Spread): string {
  return `${formatNumber(median)} (${formatNumber(min)}–${formatNumber(max)})`;
}

/** A number with about three digits that count. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** Does one thing several times, one after the other. */
export async function repeat<T>(times: number, act: (at: number) => Promise<T> | T): Promise<readonly T[]> {
  const results: T[] = [];
  for (let at = 0; at < times; at += 1) results.push(await act(at));
  return results;
}

/** How long something takes, in ms. */
export async function timeOf(act: () => Promise<unknown> | unknown): Promise<number> {
  const since = performance.now();
  await act();
  return performance.now() - since;
}

/** One figure as text: a headline, then rows whose columns stand below each other. */
export function formatTable(headline: string, rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  );
  const lines = rows.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd(),
  );
  return [headline, ...lines, ''].join('\n');
}
