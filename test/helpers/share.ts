// What of the stories `npm test` plays: where many tell variants of one thing in whole runs, or kill pawl at one effect
// after the other, it plays some, and `npm run soak` all.
import { test } from 'vitest';

/** True in `npm run soak`. */
export const isSoak = process.env['SOAK'] !== undefined;

/** A test that only `npm run soak` plays. */
export const inSoak = test.runIf(isSoak);

/** Every so many-th row of a table, the first one first; in a soak all. */
export function share<const Row>(rows: readonly Row[], every: number): readonly Row[] {
  return isSoak ? rows : rows.filter((_, at) => at % every === 0);
}
