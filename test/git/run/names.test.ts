import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, foldersOf, joinNul, nameOf, pathOf, rawOf, splitNul } from '../../../src/git/run/names.ts';

test('any UTF-8 name survives the way to git and back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const whole = name.toWellFormed();
      expect(nameOf(rawOf(whole))).toBe(whole);
    }),
  );
});

test('any bytes but NUL survive as raw names', () => {
  const bytes = fc.uint8Array({ minLength: 1 }).map((array) => array.map((byte) => byte || 1));
  fc.assert(
    fc.property(fc.array(bytes), (names) => {
      const joined = Buffer.concat(names.map((name) => Buffer.concat([name, Buffer.of(0)])));
      expect(Buffer.from(joinNul(splitNul(joined))).equals(joined)).toBe(true);
    }),
  );
});

test('a name that is no UTF-8 is shown with a mark and found on disk by its bytes', () => {
  const raw = 'a\xff';
  expect(nameOf(raw)).toBe('a\ufffd');
  expect(pathOf('/r', raw)).toEqual(Buffer.from([0x2f, 0x72, 0x2f, 0x61, 0xff]));
  expect(pathOf('/r', rawOf('ü'))).toEqual(Buffer.from('/r/ü'));
});

test('folders above a name', () => {
  expect(foldersOf('a/b/c')).toEqual(['a', 'a/b']);
  expect(foldersOf('a')).toEqual([]);
});

test('text is never cut inside a character', () => {
  const bytes = Buffer.from('aé€😀');
  const cuts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99].map((most) => cutText(bytes, most));
  expect(cuts).toEqual(['', 'a', 'a', 'aé', 'aé', 'aé', 'aé€', 'aé€', 'aé€', 'aé€', 'aé€😀', 'aé€😀']);
});
