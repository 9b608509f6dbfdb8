import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from '../../src/plan/line-diff.ts';

test.each([
  ['nothing', 'a\nb', 'a\nb', []],
  ['a line more', 'a\nb', 'a\nx\nb', [' a', '+x', ' b']],
  ['a line less', 'a\nx\nb', 'a\nb', [' a', '-x', ' b']],
  ['another line', 'a', 'b', ['-a', '+b']],
  ['line ends are not told', 'a\r\nb', 'a\nb', []],
  [
    'far parts are left out',
    '1\n2\n3\n4\n5\n6\n7',
    '1\n2\n3\n4\nX\n6\n7',
    ['…', ' 3', ' 4', '-5', '+X', ' 6', ' 7'],
  ],
  [
    'also between two changes',
    '1\n2\n3\n4\n5\n6\n7\n8',
    'X\n2\n3\n4\n5\n6\n7\nY',
    ['-1', '+X', ' 2', ' 3', '…', ' 6', ' 7', '-8', '+Y'],
  ],
])('%s', (_, before, after, lines) => {
  expect(diffLines(before, after)).toEqual(lines);
});

test('what is taken away and added is what differs', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
      const change = after.split('\n').length - before.split('\n').length;
      expect(count('+') - count('-')).toBe(change);
      expect(lines.length === 0).toBe(before === after);
    }),
  );
});

test('long texts with nothing in common are told at once', () => {
  const lines = (mark: string) => Array.from({ length: 800 }, (_, at) => `${mark}${at}`).join('\n');
  expect(diffLines(lines('a'), lines('b'))).toHaveLength(1_600);
});
