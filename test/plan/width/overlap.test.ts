import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesAny } from '../../../src/git/tree/glob.ts';
import { findOverlap } from '../../../src/plan/width/choose-tasks.ts';

test.each<[string, string, boolean]>([
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src/b.ts', false],
  ['src/a.ts', './src/a.ts', true],
  ['src/a.ts', 'SRC/A.ts', true],
  ['src/a.ts:10-20', 'src/a.ts', true],
  ['src/a.ts', 'src/*.ts', true],
  ['src/a.ts', 'src/*.js', false],
  ['src/deep/a.ts', 'src/*.ts', false],
  ['src/deep/a.ts', 'src/**/*.ts', true],
  ['src/a.ts', 'src/**/*.ts', true],
  ['src/**', 'test/**', false],
  ['**/*.ts', 'src/a.ts', true],
  ['**/*.ts', 'docs/**', true],
  ['src/api', 'src/api/routes.ts', true],
  ['src/api/', 'src/api-keys.ts', false],
  ['src/api', 'src/apis/a.ts', false],
  ['api.ts', 'src/api.ts', true],
  ['api.ts', 'src/rest-api.ts', false],
  ['*.md', 'src/a.ts', false],
  ['a.md', 'src/*.ts', false],
  ['ci.yml', '.github', true],
  ['*.md', 'docs', true],
  ['package.json', 'packages/', true],
  ['src/{a,b}.ts', 'src/{b,c}.ts', true],
  ['src/{a,b}.ts', 'src/{c,{d,e}}.ts', false],
  ['src/a?.ts', 'src/ab.ts', true],
  ['src/a?.ts', 'src/a.ts', false],
  ['src/[ab].ts', 'src/b.ts', true],
  ['src/*-test.ts', 'src/login-*', true],
  ['src/\\*.ts', 'src/a.ts', false],
  ['src/$&.ts', 'src/{$&,b}.ts', true],
  ['*', 'anything/at/all', true],
])('%s and %s: %s', (one, other, overlap) => {
  expect(findOverlap([one], [other])).toEqual(overlap ? [one, other] : undefined);
  expect(findOverlap([other], [one])).toEqual(overlap ? [other, one] : undefined);
});

test('the globs that overlap are named', () => {
  expect(findOverlap(['docs/**', 'src/*.ts'], ['test/a.ts', 'src/a.ts'])).toEqual(['src/*.ts', 'src/a.ts']);
  expect(findOverlap([], ['**'])).toBeUndefined();
});

test('very many alternatives are not told apart', () => {
  expect(findOverlap(['{a,b,c,d}'.repeat(6)], ['x'])).toBeDefined();
});

const piece = fc.constantFrom('a', 'b', 'ab', '*', '?', '**', '{a,b}', '{b,a*}', '[ab]', '[!a]', '.ts');
const segment = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
const folder = fc.constantFrom('a', 'b', 'ab', 'ba', 'aab');
/** Only a file has an ending: a folder that looks like a file is not searched for bare names. */
const file = fc
  .tuple(fc.array(folder, { maxLength: 3 }), folder, fc.constantFrom('', '.ts'))
  .map(([folders, last, ending]) => [...folders, `${last}${ending}`].join('/'));

test('globs that both mean a file overlap', () => {
  fc.assert(
    fc.property(glob, glob, file, (one, other, path) => {
      fc.pre(matchesAny(path, [one]) && matchesAny(path, [other]));
      expect(findOverlap([one], [other])).toBeDefined();
    }),
    { numRuns: 60 },
  );
});

test('two files overlap when they are one, or one is a folder of the other', () => {
  fc.assert(
    fc.property(file, file, (one, other) => {
      fc.pre(one.includes('/') && other.includes('/'));
      const isSame = `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
      expect(findOverlap([one], [other]) !== undefined).toBe(isSame);
    }),
  );
});
