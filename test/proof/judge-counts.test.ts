// What a green check printed that speaks against it.
import { expect, test } from 'vitest';
import { type CountedCheck, judgeCounts } from '../../src/proof/judge-counts.ts';

const check = (passed: number, { failed = 0, skipped = 0, result = 'green' } = {}): CountedCheck => ({
  command: 'npm test',
  result,
  tests: { passed, failed, skipped },
});
const silent = (result = 'green'): CountedCheck => ({ command: 'npm test', result });

test.each<[string, CountedCheck, CountedCheck[], RegExp | undefined]>([
  ['tests passed', check(3), [check(3)], undefined],
  ['more than before', check(4), [check(3)], undefined],
  ['none ran', check(0), [], /ran no test/],
  ['none passed', check(0, { skipped: 2 }), [], /no test passed: 2 skipped/],
  ['fewer than before', check(3), [check(5)], /fewer tests passed: 3, and 5 before/],
  ['fewer than passed on the red base', check(3), [check(5, { failed: 1, result: 'red' })], /fewer/],
  ['the last result counts', check(3), [check(5), check(3)], undefined],
  ['another command ran more', check(3), [{ ...check(9), command: 'make' }], undefined],
  ['silent, and was always', silent(), [silent()], undefined],
  ['silent where the base spoke', silent(), [check(5)], /no longer says/],
  ['silent where only a red base spoke', silent(), [check(2, { failed: 1, result: 'red' })], undefined],
  ['some failed, though it is green', check(3, { failed: 1 }), [check(3)], /tests failed: 1/],
  ['as many as a runner tells of others', check(3, { failed: 1 }), [check(3, { failed: 1 })], undefined],
  ['red', check(0, { result: 'red' }), [check(5)], undefined],
])('%s', (_, now, before, says) => {
  const found = judgeCounts([now], before);
  if (says) expect(found).toEqual([expect.stringMatching(says)]);
  else expect(found).toEqual([]);
});
