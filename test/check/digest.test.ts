// The own SHA-256 against Node's.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestText } from '../../src/check/digest.ts';

const reference = (text: string): string => createHash('sha256').update(text).digest('hex');

it.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 100_000])('agrees on %i bytes', (length) => {
  expect(digestText('a'.repeat(length))).toBe(reference('a'.repeat(length)));
});

it('agrees on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(digestText(text)).toBe(reference(text));
    }),
  );
});
