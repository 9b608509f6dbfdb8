import { expect, test } from 'vitest';
import { formatHidden } from '../../../src/work/guard/ignored-files.ts';

const some = (number: number) =>
  Array.from({ length: number }, (_, at) => ({ file: `lib/${at}`, rule: 'lib/ in .gitignore, line 1' }));

test.each([
  [0, 0, undefined],
  [1, 1, 'lib/0 is ignored by git (lib/ in .gitignore, line 1), so no commit will have it'],
  [21, 21, 'so is 1 more file'],
  [300, 21, 'so are 280 more files'],
])('%i files that git ignores', (number, lines, last) => {
  const told = formatHidden(some(number));
  expect(told).toHaveLength(lines);
  expect(told.at(-1)).toBe(last);
});
