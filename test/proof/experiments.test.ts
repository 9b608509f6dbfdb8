// What the experiments show of small changes, honest and dishonest; and what they cost.
import { expect, test } from 'vitest';
import { experiment } from '../../src/proof/experiments.ts';
import { changeOf, type Project, runTests, trialsOf } from '../helpers/small-change.ts';

const base: Project = {
  'src/numbers.js': 'lib.double = (n) => {\n  return n * 2;\n};\n',
  'test/double.test.js': 'is(lib.double(2), 4);\nis(lib.double(3), 6);\n',
  'test.config.js': '{}\n',
};
const add = '\nlib.add = (a, b) => {\n  return a + b;\n};\n';
const addTest = 'is(lib.add(1, 2), 3);\n';
const numbersOf = (text: string, more: Project = {}): Project => ({
  ...base,
  'src/numbers.js': text,
  ...more,
});
const added = `${base['src/numbers.js']}${add}`;
const honest = numbersOf(added, { 'test/add.test.js': addTest });

async function see(after: Project, options: Parameters<typeof experiment>[2] = {}) {
  return experiment(changeOf(base, after), trialsOf(after), options);
}

type Row = [string, Project, object];

const hunksOf = (lines: number, provenLines: number, unproven: readonly object[]) => ({
  ...{ withoutWork: 'red', hunks: { lines, provenLines, unproven } },
});

const rows: Row[] = [
  ['a new function with a test', honest, { clean: 'green', redefined: [], deaf: [], ...hunksOf(4, 4, []) }],
  [
    'a new function whose test is a row of old data',
    numbersOf(added, { 'test/fixtures/add.js': addTest }),
    { withoutWork: 'red', deaf: [], hunks: { provenLines: 4 } },
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
    numbersOf('lib.double = (n) => {\n  return n * 3;\n};\n', {
      'test/double.test.js': 'is(lib.double(2), 6);\nis(lib.double(3), 9);\n',
      'test/add.test.js': '',
    }),
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
    numbersOf('lib.double = (n) => n + 2;\n', {
      'test.config.js': '{"only": "other"}\n',
      'test/other.test.js': 'is(lib.double(2), 4);\n',
    }),
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
    numbersOf('const times = (n, m) => n * m;\nlib.double = (n) => times(n, 2);\n'),
    { withoutWork: 'not-tried', redefined: [], hunks: { unproven: [], untried: 0 } },
  ],
  [
    'a hunk that nobody misses, and one without code',
    { ...honest, 'src/numbers.js': `// Numbers.\nlib.unused = 1;\n${added}` },
    hunksOf(6, 4, [{ file: 'src/numbers.js', from: 1, to: 2, executed: true }]),
  ],
  [
    'a statement that nobody misses within a large addition',
    {
      ...honest,
      'src/numbers.js': `${base['src/numbers.js']}\nlib.add = (a, b) => {\n  const sum = a + b;\n  lib.log = 1;\n  lib.more = 2;\n  return sum;\n};\n`,
    },
    hunksOf(
      7,
      5,
      [7, 8].map((at) => ({ from: at, to: at })),
    ),
  ],
];

test.each<Row>(rows)('%s', async (_, after, expected) => {
  expect(await see(after)).toMatchObject(expected);
});

const own = 'test/own.test.js';
const turned: Row[] = [
  [
    'an own check that is green by a test alone',
    { ...honest, 'test/add.test.js': 'is(1, 1);\n' },
    { withoutWork: 'green' },
  ],
  ['an own check that misses the work', honest, { withoutWork: 'red', hunks: { provenLines: 4 } }],
  ['docs that no check misses', { ...base, 'README.md': 'more\n' }, { withoutWork: 'green' }],
  [
    'what was installed beside',
    { ...base, 'package-lock.json': '{}', 'README.md': 'more\n' },
    { withoutWork: 'not-tried' },
  ],
  ['a new test alone', { ...base, [own]: 'is(lib.double(1), 2);\n' }, { withoutWork: 'tests-alone' }],
  [
    'a new test beside an old one with more in it, and what was installed',
    {
      ...base,
      [own]: 'is(1, 1);\n',
      'test/double.test.js': `${base['test/double.test.js']}is(lib.double(1), 2);\n`,
      'package-lock.json': '{}',
    },
    { withoutWork: 'tests-alone' },
  ],
];

test.each<Row>(turned)('an own check was red before: %s', async (_, after, expected) => {
  expect(await see(after, { turnedGreen: () => true })).toMatchObject(expected);
});

const withHalf = { ...base, [own]: 'is(lib.half(2), 1);\n' };
const untested = { ...honest, 'test/add.test.js': '' };
const data = (value: number) => ({
  'test/fixtures/a.js': `lib.given = ${value};\n`,
  'test/fixtures/b.js': `is(lib.given, ${value});\n`,
});
const numbers = (files: Project): string => files['src/numbers.js'] ?? '';
const first = (file: string) => ({ redefined: [{ file, from: 1, to: 1 }] });

type Case = Readonly<{
  before?: Project;
  after?: Project;
  as?: Parameters<typeof changeOf>[2];
  /** Instead of running the tests. */
  check?: Parameters<typeof trialsOf>[1];
  is: object;
}>;

const cases: Readonly<Record<string, Case>> = {
  'data and an answer that go together are not old expectations beside one that was bent': {
    before: { ...base, ...data(1) },
    after: {
      ...base,
      ...data(2),
      'src/numbers.js': 'lib.double = (n) => n * 3;\n',
      'test/double.test.js': 'is(lib.double(2), 6);\n',
    },
    is: first('test/double.test.js'),
  },
  'tests that only load the work': {
    after: { ...honest, 'test/add.test.js': 'lib.add;\n' },
    check: (files) => {
      if (!numbers(files).includes('\nlib.add')) throw new Error('add is not defined');
      return runTests(files);
    },
    is: { withoutWork: 'load-only' },
  },
  'a new helper that bends an old test where no test is new': {
    before: withHalf,
    after: { ...withHalf, 'test/__init__.js': 'lib.half = () => 1;\n' },
    is: first('test/__init__.js'),
  },
  'a new test that bends an old one, beside right work with its test': {
    before: withHalf,
    after: { ...withHalf, ...honest, 'test/b.test.js': 'lib.half = () => 1;\nis(lib.add(1, 2), 3);\n' },
    is: first('test/b.test.js'),
  },
  'new code in a folder of tests bends what these see': {
    before: withHalf,
    after: { ...withHalf, 'test/init.js': 'lib.half = () => 1;\n' },
    as: { besideTests: ['test/init.js'] },
    is: first('test/init.js'),
  },
  'tests that look for the text of the work': {
    after: untested,
    check: (files) =>
      files['test/add.test.js'] === '' && numbers(files).includes('lib.add') ? 'green' : 'red',
    is: { withoutWork: 'load-only', hunks: { provenLines: 0 } },
  },
  'data that a check compares with is an old expectation': {
    before: { ...base, 'want.txt': '4' },
    after: { ...untested, 'want.txt': '5' },
    as: { compared: ['want.txt'] },
    check: (files) => (files['want.txt'] === '5' ? 'green' : 'red'),
    is: { redefined: [{ file: 'want.txt' }] },
  },
  'a test that reads the text of the sources pins it': {
    check: (files) => (numbers(files).includes('Placebo') ? 'red' : runTests(files)),
    is: { pinsText: true },
  },
  'a linter that wants sentences as comments pins nothing': {
    check: (files) => (/\/\/ (?![A-Z].*\.$)/m.test(numbers(files)) ? 'red' : runTests(files)),
    is: { pinsText: false },
  },
  'a check that hangs without the work is red': {
    check: (files) => (/^lib\.add =/m.test(numbers(files)) ? 'green' : 'hung'),
    is: { withoutWork: 'red' },
  },
  'a check whose cache knows the work alone gets more time without it': {
    after: untested,
    check: (files, limitMs = 0) => (numbers(files) === added || limitMs > 60_000 ? runTests(files) : 'hung'),
    is: { withoutWork: 'green' },
  },
};

test.each(Object.entries(cases))('%s', async (_, { before = base, after = honest, as, check, is }) => {
  expect(await experiment(changeOf(before, after, as), trialsOf(after, check))).toMatchObject(is);
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
  const run: typeof trials.run = async (tree, trial) => {
    const end = await trials.run(tree, trial);
    return end && { ...end, durationMs: 0 };
  };
  const found = await experiment(changeOf(base, honest), { ...trials, run });
  expect(found).toMatchObject({
    stopped: expect.stringContaining('stopped'),
    hunks: { lines: 0, untried: 1 },
  });
});

test('a hang without a hunk is no reason to wait longer', async () => {
  const trials = trialsOf(honest, (files) =>
    /^\/\/ lib\.add/m.test(numbers(files)) ? 'hung' : runTests(files),
  );
  const { hunks } = await experiment(changeOf(base, honest), trials);
  expect([hunks.provenLines, trials.ran.filter((what) => what.includes('more time'))]).toEqual([4, []]);
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

test('a line is not missed where only a build that reads comments as code is red without it', async () => {
  const after = numbersOf(`lib.version = 1;\n${added}`, { 'test/add.test.js': addTest });
  const trials = trialsOf(after, (files) => {
    if (/^\/\/ ?lib\.version/.test(files['src/numbers.js'] ?? '')) throw new Error('version is not defined');
    return runTests(files);
  });
  const { hunks } = await experiment(changeOf(base, after), trials);
  expect(hunks).toMatchObject({ lines: 5, provenLines: 4, unproven: [{ from: 1, to: 1 }] });
});
