// A journal in pieces: whole lines, old pieces as they were however it grows, and together the journal again.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinSegments, segmentsOf } from '../../src/journal/segments.ts';

test.each([
  ['nothing', '', []],
  ['one line', 'ab\n', ['ab\n']],
  ['as many lines as fit', 'ab\ncd\ne\n', ['ab\ncd\n', 'e\n']],
  ['a line that is too long alone', 'a\nbcdefghi\nj\n', ['a\n', 'bcdefghi\n', 'j\n']],
  ['a torn line', 'ab\ncd', ['ab\n']],
  ['only a torn line', 'abcdefghij', []],
])('%s', (_, journal, pieces) => {
  expect(segmentsOf(Buffer.from(journal), 6).map(({ bytes }) => bytes.toString())).toEqual(pieces);
});

test('what was cut stays, but for the last piece, and all of it joined is the journal', () => {
  const lines = fc.array(fc.string({ maxLength: 12 }).map((text) => `${text.replaceAll('\n', ' ')}\n`));
  fc.assert(
    fc.property(lines, lines, (before, more) => {
      const old = segmentsOf(Buffer.from(before.join('')), 20);
      const now = segmentsOf(Buffer.from([...before, ...more].join('')), 20);
      expect(now.slice(0, Math.max(0, old.length - 1))).toEqual(old.slice(0, -1));
      expect(joinSegments([...now].reverse()).toString()).toBe([...before, ...more].join(''));
    }),
  );
});
