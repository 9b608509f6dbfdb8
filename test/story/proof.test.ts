// What green checks are worth: tests that never ran, bent tests, tests that cannot fail, and work that no test misses. Each
// closes with the word it earned.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { claimsDone, makeStory, sayDone } from '../helpers/story.ts';

/** A plan of one task that adds `add` to the module; its only checks are the plan's. */
const addPlan = (check: string, extra = '') => `# Plan: Numbers

## Validation Commands
- \`${check}\`

### Task 1: Add numbers
${extra}- [ ] Write add, with a test
`;

test.each([
  ['unittest', 'python3 -m unittest discover -s tests', { 'tests/__init__.py': '' }],
  ['node:test', 'node --test --test-reporter=spec "test/**/*.test.mjs"', { 'test/README.md': 'tests\n' }],
  ['a runner that skips all', 'echo "===== 2 skipped in 0.01s ====="', {}],
])('no test ran (%s): asked about once, then unchecked with the counts', async (_, check, files) => {
  await using scene = await makeStory({
    plan: addPlan(check),
    files,
    turns: [
      { when: 'may prove nothing', steps: [sayDone] },
      ...claimsDone({ bash: 'echo "add = 1" > numbers.py' }),
    ],
  });
  const ended = await scene.run();
  expect(factsOf(ended, 'correction-sent'), tell(ended)).toMatchObject([
    { kind: 'runner', reason: expect.stringMatching(/ran no test|no test passed/) },
  ]);
  expect(factsOf(ended, 'task-closed')).toMatchObject([
    { proof: 'unchecked', reason: expect.stringMatching(/ran no test|no test passed/) },
  ]);
  expect(ended.exit).toBe(4);
});

const numbers = {
  'numbers.mjs': 'export const double = (n) => n * 2;\n\n// Numbers are doubled.\n',
  'test/double.test.mjs':
    "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { double } from '../numbers.mjs';\n\ntest('double', () => {\n  assert.equal(double(2), 4);\n  assert.equal(double(3), 6);\n});\n",
};
const check = 'node --test test/*.test.mjs';
const write = (file: string, content: string): Step => ({ write: { file, content } });
const testOf = (name: string, body: string) =>
  write(
    `test/${name}.test.mjs`,
    `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as numbers from '../numbers.mjs';\n\ntest('${name}', () => {\n  ${body}\n});\n`,
  );
const addIt = { bash: "printf '\\nexport const add = (a, b) => a + b;\\n' >> numbers.mjs" };

/** A task that is worked on with these steps, judged by experiments. */
async function judge(
  steps: readonly Step[],
  { attributes = '', files = {} as Record<string, string>, command = check } = {},
) {
  await using scene = await makeStory({
    plan: addPlan(command, attributes),
    files: { ...numbers, ...files },
    turns: claimsDone(...steps),
    env: { PAWL_PROVE: 'report' },
  });
  const ended = await scene.run();
  const judged = factsOf(ended, 'proof-judged');
  expect(judged, tell(ended)).toHaveLength(1);
  // No honest task is asked anything; no dishonest one either, before it closes.
  expect(factsOf(ended, 'correction-sent')).toEqual([]);
  return { ...judged[0], exit: ended.exit, reasons: judged[0]?.reasons ?? [], tell: tell(ended) };
}

test.each<[string, readonly Step[], 'proven' | 'passed' | 'unchecked', RegExp, Parameters<typeof judge>[1]?]>(
  [
    [
      'a new function with a test',
      [addIt, testOf('add', 'assert.equal(numbers.add(1, 2), 3);')],
      'proven',
      /red without the work/,
    ],
    [
      'a new test that cannot fail',
      [addIt, testOf('add', 'assert.ok(true);')],
      'passed',
      /nothing misses this work/,
    ],
    [
      'a bent old test',
      [
        write('numbers.mjs', 'export const double = (n) => n * 3;\n'),
        { bash: "sed -i 's/4/6/; s/, 6);/, 9);/; s/(2), 9/(2), 6/' test/double.test.mjs" },
      ],
      'passed',
      /an old expectation no longer holds: test\/double\.test\.mjs:6/,
    ],
    [
      'an old test redefined on purpose',
      [
        write('numbers.mjs', 'export const double = (n) => n * 3;\n'),
        { bash: "sed -i 's/4/6/; s/, 6);/, 9);/; s/(2), 9/(2), 6/' test/double.test.mjs" },
      ],
      'proven',
      /red without the work/,
      { attributes: '- redefines: test/double.test.mjs\n' },
    ],
    [
      'a refactoring',
      [write('numbers.mjs', 'const times = (n, m) => n * m;\nexport const double = (n) => times(n, 2);\n')],
      'passed',
      /no check of its own/,
    ],
    [
      'a refactoring that says so',
      [write('numbers.mjs', 'const times = (n, m) => n * m;\nexport const double = (n) => times(n, 2);\n')],
      'proven',
      /refactors/,
      { attributes: '- refactor: true\n' },
    ],
    ['docs', [write('README.md', 'More.\n')], 'passed', /no check of its own/],
    ['a lock file', [write('package-lock.json', '{}\n')], 'passed', /no check of its own/],
    [
      'a renamed test',
      [
        { bash: 'git mv test/double.test.mjs test/twice.test.mjs' },
        addIt,
        testOf('add', 'assert.equal(numbers.add(1, 2), 3);'),
      ],
      'proven',
      /red without the work/,
    ],
  ],
)('%s', async (_, steps, word, why, options) => {
  const judged = await judge(steps, options);
  expect(judged, judged.tell).toMatchObject({ word, exit: word === 'unchecked' ? 4 : 0 });
  expect(judged.reasons.join('; ')).toMatch(why);
});

test('an unproven hunk is named with its lines', async () => {
  const { experiments } = await judge([
    addIt,
    { bash: "sed -i '1i export const unused = 1;' numbers.mjs" },
    testOf('add', 'assert.equal(numbers.add(1, 2), 3);'),
  ]);
  expect(experiments?.hunks).toMatchObject({
    proven: 1,
    unproven: [{ file: 'numbers.mjs', from: 1, to: 1, executed: true }],
  });
});

test('weakened by configuration: asked about once, then unchecked with the name of the file', async () => {
  const command = `node -e "const {only} = JSON.parse(fs.readFileSync('test.config.json')); import('./numbers.mjs').then(({double}) => process.exit(only === 'none' || double(3) === 6 ? 0 : 1))"`;
  await using scene = await makeStory({
    plan: addPlan(command),
    files: { ...numbers, 'test.config.json': '{}\n' },
    turns: [
      { when: 'may prove nothing', steps: [sayDone] },
      ...claimsDone(
        write('numbers.mjs', 'export const double = (n) => n + 2;\n'),
        write('test.config.json', '{"only": "none"}\n'),
      ),
    ],
    env: { PAWL_PROVE: 'report' },
  });
  const ended = await scene.run();
  expect(
    factsOf(ended, 'correction-sent').map(({ kind }) => kind),
    tell(ended),
  ).toEqual(['runner']);
  expect(factsOf(ended, 'task-closed')).toMatchObject([
    { proof: 'unchecked', reason: expect.stringContaining('test.config.json') },
  ]);
  expect(ended.exit).toBe(4);
});
