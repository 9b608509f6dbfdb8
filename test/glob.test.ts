import { expect, test } from 'vitest';
import { matchesAny } from '../src/glob.ts';

const rows: readonly (readonly [string, string, boolean])[] = [
  ['*.pem', 'a.pem', true],
  ['*.pem', 'deep/er/a.pem', true],
  ['*.pem', 'a.pem.txt', false],
  ['/a.pem', 'a.pem', true],
  ['certs/*.pem', 'certs/a.pem', true],
  ['certs/*.pem', 'x/certs/a.pem', false],
  ['certs/*.pem', 'certs/x/a.pem', false],
  ['certs/', 'certs/x/y', true],
  ['certs/x', 'certs/x/y', true],
  ['.env*', '.env.local', true],
  ['.env*', 'app/.env', true],
  ['.env*', 'xenv', false],
  ['[z-a]', '[z-a]', true],
  ['a{', 'a{', true],
  ['a+b.(c)', 'a+b.(c)', true],
  ['app/(auth)/*.tsx', 'app/(auth)/page.tsx', true],
  ['app/(auth)/*.tsx', 'app/auth/page.tsx', false],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
  ['!a', 'b', false],
  ['!a', '!a', true],
  ['+(a|b)', 'aa', false],
  ['**', 'a/.b/c', true],
  ['*\n*', 'a\nb', true],
];

test.each(rows)('%s and %s: %s', (glob, file, expected) => {
  expect(matchesAny(file, [glob])).toBe(expected);
});

test('no globs match nothing', () => {
  expect(matchesAny('a', [])).toBe(false);
});
