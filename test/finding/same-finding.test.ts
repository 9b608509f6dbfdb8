// Which complaints are one: other words, moved lines, other places.
import { describe, expect, test } from 'vitest';
import { anchorOf, fingerprintOf, isSame, type Placed } from '../../src/finding/same-finding.ts';

function placed(title: string, at: Partial<Placed> = {}): Placed {
  return { file: 'src/auth.ts', line: 12, title, anchor: 'if (a == b) {', ...at };
}

const base = placed('Token is compared with ==, open to timing attacks');

test.each<[string, Placed, boolean]>([
  ['the very same', base, true],
  ['other words at one place', placed('Timing attack: tokens compared by =='), true],
  ['the same words, the code moved far down', placed(base.title, { line: 300 }), true],
  ['similar words on the moved line', placed('Timing attack on the compared token', { line: 300 }), true],
  ['another complaint at one place', placed('The error message leaks the user name'), false],
  [
    'similar words on other code far away',
    placed('Timing attack on tokens here', { line: 300, anchor: 'x' }),
    false,
  ],
  ['another file', placed(base.title, { file: 'src/login.ts' }), false],
  ['another spelling of the file', placed(base.title, { file: './src/auth.ts' }), true],
  ['about the whole file', placed('Open to timing attacks', { line: 0, anchor: '' }), true],
])('%s', (_, other, same) => {
  expect(isSame(base, other)).toBe(same);
  expect(isSame(other, base)).toBe(same);
});

describe('the fingerprint', () => {
  test('stays when lines move and blanks change', () => {
    const moved = placed(base.title, { line: 80, anchor: 'if (a  ==  b) {' });
    expect(fingerprintOf(moved)).toBe(fingerprintOf(base));
  });

  test.each([
    ['another complaint', placed('Leaks memory')],
    ['other code', placed(base.title, { anchor: 'return a;' })],
    ['another file', placed(base.title, { file: 'b.ts' })],
  ])('differs for %s', (_, other) => {
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(base));
  });
});

test.each([
  [2, 'b', 'a\n  b\nc'],
  [9, '', 'a\n'],
  [0, '', 'a\n'],
  [1, '', undefined],
])('the anchor of line %i is %o', (line, anchor, text) => {
  expect(anchorOf({ ...base, line }, text)).toBe(anchor);
});
