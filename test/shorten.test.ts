import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten } from '../src/shorten.ts';

test.each([
  ['all of it', 9, 'all of it'],
  ['expected true to be false', 14, 'expected true…'],
  ['expected true to be false', 16, 'expected true…'],
  ['expected true to be false', 12, 'expected…'],
  ['unbreakable', 6, 'unbre…'],
  [`see ${'x'.repeat(40)}`, 40, `see ${'x'.repeat(35)}…`],
  [' indented', 6, 'inde…'.padStart(6)],
  ['ab😀c', 4, 'ab…'],
])('%j within %i is %j', (text, most, short) => {
  expect(shorten(text, most)).toBe(short);
});

test('it is never longer, and begins as the text does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 60 }), (text, most) => {
      const short = shorten(text, most);
      expect(short.length).toBeLessThanOrEqual(most);
      expect(text.startsWith(text.length <= most ? short : short.slice(0, -1))).toBe(true);
    }),
  );
});
