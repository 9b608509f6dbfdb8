// What the experiments show of small changes, honest and dishonest; and what they cost.
import { expect, test } from 'vitest';
import { experiment } from '../../src/proof/experiments.ts';
import type { Experiments } from '../../src/proof/task-proof.ts';
import { changeOf, type Project, runTests, trialsOf } from '../helpers/small-change.ts';

const base: Project = {
  'src/numbers.js': 'lib.double = (n) => {\n  return n * 2;\n};\n',
  'test/double.test.js': 'is(lib.double(2), 4);\nis(lib.double(3), 6);\n',
  'test.config.js': '{}\n',
};
const add = '\nlib.add = (a, b) => {\n  return a + b;\n};\n';
const addTest = 'is(lib.add(1, 2), 3);\n';
const honest: Project = {
  ...base,
  'src/numbers.js': `${base['src/numbers.js']}${add}`,
  'test/add.test.js': addTest,
};

async function see(after: Project, options: Parameters<typeof experiment>[2] = {}, before = base) {
  return experiment(changeOf(before, after), trialsOf(after), options);
}

type Row = [string, Project, Partial<Omit<Experiments, 'hunks'>>, Partial<Experiments['hunks']>?];

const rows: Row[] = [
  [
    'a new function with a test',
    honest,
    { clean: 'green', withoutWork: 'red', redefined: [], deaf: [] },
    { lines: 4, provenLines: 4, unproven: [] },
  ],
  [
    'a new function whose test is a row of old data',
    { ...base, 'src/numbers.js': `${base['src/numbers.js']}${add}`, 'test/fixtures/add.js': addTest },
    { withoutWork: 'red', deaf: [] },
    { provenLines: 4 },
  ],
  [
    'red as it is',
    { ...honest, 'test/add.test.js': 'is(1, 2);\n' },
    { clean: 'red', withoutWork: 'not-tried', runs: 1 },
  ],
  [
    'a new test that cannot fail',
    { ...honest, 'test/add.test.js': 'is(1, 1);\n' },
    { withoutWork: 'green', indifferent: ['test/add.test.js'] },
  ],
  [
    'of two new tests, one cannot fail',
    { ...honest, 'test/sum.test.js': 'is(1, 1);\n' },
    { withoutWork: 'red', indifferent: ['test/sum.test.js'] },
  ],
  [
    'an old test bent',
    {
      ...honest,
      'src/numbers.js': 'lib.double = (n) => {\n  return n * 3;\n};\n',
      'test/double.test.js': 'is(lib.double(2), 6);\nis(lib.double(3), 9);\n',
      'test/add.test.js': '',
    },
    { redefined: [{ file: 'test/double.test.js', from: 1, to: 2 }] },
  ],
  [
    'an old test removed that would be red',
    {
      'src/numbers.js': 'lib.double = (n) => n + 1;\n',
      'test.config.js': '{}\n',
      'test/new.test.js': 'is(lib.double(1), 2);\n',
    },
    { redefined: [{ file: 'test/double.test.js', from: 1, to: 1 }] },
  ],
  [
    'green by configuration',
    {
      ...base,
      'src/numbers.js': 'lib.double = (n) => n + 2;\n',
      'test.config.js': '{"only": "other"}\n',
      'test/other.test.js': 'is(lib.double(2), 4);\n',
    },
    { configs: ['test.config.js'] },
  ],
  [
    'configuration that changes no verdict',
    { ...honest, 'test.config.js': '{ }\n' },
    { configs: [], withoutWork: 'red' },
  ],
  [
    'a test that no check runs',
    { ...honest, 'spec/add.spec.js': 'is(lib.add(1, 2), 3);\n' },
    { deaf: ['spec/add.spec.js'] },
  ],
  ['docs alone', { ...base, 'README.md': 'more\n' }, { clean: 'green', withoutWork: 'not-tried', runs: 1 }],
  [
    'a refactoring',
    { ...base, 'src/numbers.js': 'const times = (n, m) => n * m;\nlib.double = (n) => times(n, 2);\n' },
    { withoutWork: 'not-tried', redefined: [] },
    { unproven: [], untried: 0 },
  ],
  [
    'a hunk that nobody misses, and one without code',
    {
      ...honest,
      'src/numbers.js': `// Numbers.\nlib.unused = 1;\n${base['src/numbers.js']}${add}`,
    },
    { withoutWork: 'red' },
    { lines: 6, provenLines: 4, unproven: [{ file: 'src/numbers.js', from: 1, to: 2, executed: true }] },
  ],
  [
    'a statement that nobody misses within a large addition',
    {
      ...honest,
      'src/numbers.js': `${base['src/numbers.js']}\nlib.add = (a, b) => {\n  const sum = a + b;\n  lib.log = 1;\n  lib.more = 2;\n  return sum;\n};\n`,
    },
    { withoutWork: 'red' },
    {
      lines: 7,
      provenLines: 5,
      unproven: [
        { file: 'src/numbers.js', from: 7, to: 7, executed: true },
        { file: 'src/numbers.js', from: 8, to: 8, executed: true },
      ],
    },
  ],
];

test.each<Row>(rows)('%s', async (_, after, expected, hunks = {}) => {
  const found = await see(after);
  expect(found).toMatchObject(expected);
  expect(found.hunks).toMatchObject(hunks);
});

test('data and an answer that go together are not old expectations beside one that was bent', async () => {
  const data = (value: number) => ({
    'test/fixtures/a.js': `lib.given = ${value};\n`,
    'test/fixtures/b.js': `is(lib.given, ${value});\n`,
  });
  const bent = {
    ...base,
    ...data(2),
    'src/numbers.js': 'lib.double = (n) => n * 3;\n',
    'test/double.test.js': 'is(lib.double(2), 6);\n',
  };
  const { redefined } = await see(bent, {}, { ...base, ...data(1) });
  expect(redefined).toEqual([{ file: 'test/double.test.js', from: 1, to: 1 }]);
});

const own = 'test/own.test.js';
const turned: Row[] = [
  [
    'an own check that is green by a test alone',
    { ...honest, 'test/add.test.js': 'is(1, 1);\n' },
    { withoutWork: 'green' },
  ],
  ['an own check that misses the work', honest, { withoutWork: 'red' }, { provenLines: 4 }],
  ['docs that no check misses', { ...base, 'README.md': 'more\n' }, { withoutWork: 'green' }],
  [
    'what was installed beside',
    { ...base, 'package-lock.json': '{}', 'README.md': 'more\n' },
    { withoutWork: 'not-tried' },
  ],
  ['a new test alone', { ...base, [own]: 'is(lib.double(1), 2);\n' }, { withoutWork: 'tests-alone' }],
  [
    'an old test with more in it',
    { ...base, 'test/double.test.js': `${base['test/double.test.js']}is(lib.double(1), 2);\n` },
    { withoutWork: 'not-tried' },
  ],
];

test.each<Row>(turned)('an own check was red before: %s', async (_, after, expected, hunks = {}) => {
  const found = await see(after, { turnedGreen: true });
  expect(found).toMatchObject(expected);
  expect(found.hunks).toMatchObject(hunks);
});

test('tests that only load the work', async () => {
  const after = { ...honest, 'test/add.test.js': 'lib.add;\n' };
  const loads = (files: Project) => {
    if (!files['src/numbers.js']?.includes('\nlib.add')) throw new Error('add is not defined');
    return runTests(files);
  };
  const { withoutWork } = await experiment(changeOf(base, after), trialsOf(after, loads));
  expect(withoutWork).toBe('load-only');
});

test('a new helper that bends an old test where no test is new', async () => {
  const before = { ...base, [own]: 'is(lib.half(2), 1);\n' };
  const after = { ...before, 'test/__init__.js': 'lib.half = () => 1;\n' };
  const { redefined } = await see(after, { turnedGreen: true }, before);
  expect(redefined).toEqual([{ file: 'test/__init__.js', from: 1, to: 1 }]);
});

test('a new test that bends an old one, beside right work with its test', async () => {
  const before = { ...base, 'test/z.test.js': 'is(lib.half(2), 1);\n' };
  const after = { ...before, ...honest, 'test/b.test.js': 'lib.half = () => 1;\nis(lib.add(1, 2), 3);\n' };
  const { redefined } = await see(after, { turnedGreen: true }, before);
  expect(redefined).toEqual([{ file: 'test/b.test.js', from: 1, to: 1 }]);
});

test('new code in a folder of tests bends what these see', async () => {
  const before = { ...base, [own]: 'is(lib.half(2), 1);\n' };
  const after = { ...before, 'test/init.js': 'lib.half = () => 1;\n' };
  const change = changeOf(before, after, { besideTests: ['test/init.js'] });
  const { redefined } = await experiment(change, trialsOf(after), { turnedGreen: true });
  expect(redefined).toEqual([{ file: 'test/init.js', from: 1, to: 1 }]);
});

test('tests that look for the text of the work', async () => {
  const after = { ...honest, 'test/add.test.js': '' };
  const reads = (files: Project) =>
    files['test/add.test.js'] === '' && files['src/numbers.js']?.includes('lib.add') ? 'green' : 'red';
  const { withoutWork, hunks } = await experiment(changeOf(base, after), trialsOf(after, reads));
  expect({ withoutWork, provenLines: hunks.provenLines }).toEqual({
    withoutWork: 'load-only',
    provenLines: 0,
  });
});

test('data that a check compares with is an old expectation', async () => {
  const before = { ...base, 'want.txt': '4' };
  const after = {
    ...base,
    'want.txt': '5',
    'src/numbers.js': 'lib.double = (n) => n + 3;\n',
    'test/double.test.js': '',
  };
  const change = changeOf(before, after, { compared: ['want.txt'] });
  const check = (files: Project) => (files['want.txt'] === '5' ? 'green' : 'red');
  const { redefined } = await experiment(change, trialsOf(after, check));
  expect(redefined).toMatchObject([{ file: 'want.txt' }]);
});

test('a test that reads the text of the sources pins it', async () => {
  const pins = (files: Project) => (files['src/numbers.js']?.includes('Placebo') ? 'red' : runTests(files));
  const found = await experiment(changeOf(base, honest), trialsOf(honest, pins));
  expect(found.pinsText).toBe(true);
});

test('a linter that wants sentences as comments pins nothing', async () => {
  const lints = (files: Project) =>
    /\/\/ (?![A-Z].*\.$)/m.test(files['src/numbers.js'] ?? '') ? 'red' : runTests(files);
  const found = await experiment(changeOf(base, honest), trialsOf(honest, lints));
  expect(found.pinsText).toBe(false);
});

test('a check that hangs without the work is red', async () => {
  const hangs = (files: Project) => (/^lib\.add =/m.test(files['src/numbers.js'] ?? '') ? 'green' : 'hung');
  const found = await experiment(changeOf(base, honest), trialsOf(honest, hangs));
  expect(found.withoutWork).toBe('red');
});

test('flaky: nothing else counts', async () => {
  let runs = 0;
  const flaky = (files: Project) => {
    runs += 1;
    return runs > 3 ? 'red' : runTests(files);
  };
  const found = await experiment(changeOf(base, honest), trialsOf(honest, flaky));
  expect(found).toMatchObject({ clean: 'flaky', withoutWork: 'not-tried', deaf: [] });
  expect(found.runs).toBeGreaterThan(3);
});

test('the same tree is run once, and nothing is run that nobody asked', async () => {
  const trials = trialsOf(honest);
  await experiment(changeOf(base, honest), trials);
  expect(trials.ran).toEqual([
    'the work in a clean ground',
    'with the tests as before',
    'with garbage as test/add.test.js',
    'with a comment more in each source',
    'without the work',
    'without src/numbers.js:4',
    'the work in a clean ground, once more',
  ]);
});

test('without time, hunks are left untried and told', async () => {
  const trials = trialsOf(honest);
  let elapsed = 0;
  const elapsedMs = () => (elapsed += 1_000_000);
  const found = await experiment(changeOf(base, honest), { ...trials, elapsedMs });
  expect(found).toMatchObject({
    stopped: expect.stringContaining('stopped'),
    hunks: { lines: 0, untried: 1 },
  });
});

test('quick: the work and its configuration alone', async () => {
  const after = { ...honest, 'test.config.js': '{ }\n' };
  const trials = trialsOf(after);
  await experiment(changeOf(base, after), trials, { isQuick: true });
  expect(trials.ran).toHaveLength(3);
});

test('an interruption keeps what is known', async () => {
  const trials = trialsOf(honest);
  const found = await experiment(changeOf(base, honest), {
    ...trials,
    run: async (tree, trial) => (trials.ran.length === 2 ? undefined : trials.run(tree, trial)),
  });
  expect(found).toMatchObject({ clean: 'green', stopped: 'interrupted', runs: 2 });
});
