import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesAny } from '../../../src/glob.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { chooseTasks, findOverlap, widestOf } from '../../../src/plan/width/choose-tasks.ts';

/** A plan of tasks 1, 2, … with these lines each; a line that is a number is so many open steps. */
const plan = (...tasks: readonly (readonly (string | number)[])[]) =>
  parsePlan(
    tasks
      .map((lines, at) => {
        const written = lines.flatMap((line) =>
          typeof line === 'number'
            ? Array.from({ length: line }, (_, step) => `- [ ] s${step}`)
            : [`- ${line}`],
        );
        return [`### Task ${at + 1}: t`, ...written, ''].join('\n');
      })
      .join('\n'),
    'x.md',
  );

const idsOf = (some: Plan, underWay: readonly string[] = [], excluded: readonly string[] = []) =>
  chooseTasks(some, { underWay: new Set(underWay), excluded: new Set(excluded) }).map(({ id }) => id);

describe('chooseTasks', () => {
  const free = 'depends: none';
  test.each<[string, Plan, readonly string[], readonly string[]]>([
    ['a plan without depends is a chain', plan([1], [1], [1]), [], ['1']],
    ['… whose next task waits for the one under way', plan([1], [1]), ['1'], []],
    ['files alone lift no order', plan(['files: a/a', 1], ['files: b/b', 1]), [], ['1']],
    ['`none` lifts it for one task', plan([2], [free, 1], ['[x] s']), [], ['1', '2']],
    ['one depends frees those that name none', plan([1], [1], ['depends: 1', 1]), [], ['1', '2']],
    ['a closed task holds nothing back', plan(['[x] s'], ['depends: 1', 1], [1]), [], ['2', '3']],
    ['one under way is not chosen', plan([free, 1], [free, 1]), ['1'], ['2']],
    [
      'the longest remaining way first',
      plan([free, 1], [free, 3], ['depends: 1', 5], ['depends: 1', 1]),
      [],
      ['1', '2'],
    ],
    ['of equal ways the first in the plan', plan([free, 2], [free, 2], [free, 3]), [], ['3', '1', '2']],
    ['ticked steps are no way', plan([free, 1], [free, '[x] s', '[x] s', 1]), [], ['1', '2']],
    [
      'files that overlap are not together',
      plan([free, 'files: src/**', 1], [free, 'files: src/a.ts', 2], [free, 'files: test/b.ts', 1]),
      [],
      ['2', '3'],
    ],
    [
      'nor beside one under way',
      plan([free, 'files: src/**', 1], [free, 'files: src/a.ts', 2], [free, 'files: test/b.ts', 1]),
      ['1'],
      ['3'],
    ],
    ['who names no files is beside any', plan([free, 'files: a/a', 1], [free, 1]), [], ['1', '2']],
    ['an exclusive task begins alone', plan([free, 'exclusive: true', 2], [free, 1]), [], ['1']],
    [
      '… and waits until nothing is under way',
      plan([free, 'exclusive: true', 2], [free, 1], [free, 1]),
      ['2'],
      ['3'],
    ],
    ['… and keeps all others waiting', plan([free, 'exclusive: true', 2], [free, 1]), ['1'], []],
    ['`exclusive: false` says nothing', plan([free, 'exclusive: false', 2], [free, 1]), [], ['1', '2']],
  ])('%s', (_, some, underWay, chosen) => {
    expect(idsOf(some, underWay)).toEqual(chosen);
  });

  test('what waits for an excluded task waits on', () => {
    expect(idsOf(plan([free, 1], ['depends: 1', 1], [free, 1]), [], ['1'])).toEqual(['3']);
  });

  test('a task that a person ticks while it is under way keeps its place', () => {
    const ticked = plan([free, 'files: a/a', '[x] s'], [free, 'files: a/a', 1], ['depends: 1', 1]);
    expect(idsOf(ticked, ['1'])).toEqual([]);
  });

  test('tasks that wait in a circle are never chosen', () => {
    expect(idsOf(plan(['depends: 2', 1], ['depends: 1', 1], [1]))).toEqual(['3']);
  });

  test.each([
    ['a diamond', plan([2, free], [3, 'depends: 1'], [4, 'depends: 1'], [1, 'depends: 2, 3']), 4, 2],
    ['never more than jobs', plan([1, free], [1, free], [1, free]), 2, 2],
    ['a chain', plan([1], [1]), 4, 1],
    ['nothing open', plan(['[x] s']), 4, 0],
  ])('widestOf: %s', (_, some, jobs, widest) => {
    expect(widestOf(some, { jobs })).toBe(widest);
  });

  test('a caller’s reason makes a task stand alone', () => {
    const some = plan([free, 2], [free, 1]);
    const aloneFor = ({ id }: { id: string }) => (id === '1' ? 'package.json' : undefined);
    expect(chooseTasks(some, { underWay: new Set(), aloneFor }).map(({ id }) => id)).toEqual(['1']);
    expect(chooseTasks(some, { underWay: new Set(['2']), aloneFor })).toEqual([]);
  });

  test('a chain of thousands is no reason to run out of stack', () => {
    const [task] = plan([1]).tasks;
    const tasks = Array.from({ length: 5000 }, (_, at) => ({ ...task, id: String(at) }));
    const many = { ...plan([1]), tasks } as Plan;
    expect(idsOf(many)).toEqual(['0']);
  });
});

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
  ['src/*.ts', 'src/*.css', false],
  ['src/*.ts', 'src/web/*.ts', false],
  ['src/**/*.ts', 'src/web/*.ts', true],
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
