// Honest work of all shapes, and some that claims more than it shows: each task closes with the word it earned.
import { expect, test } from 'vitest';
import { done } from '../helpers/letters.ts';
import { endAt, killAt, makeNight } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import { filesOf, put, source, testFile } from '../helpers/small-runner.ts';
import { readRun } from '../helpers/story.ts';

type Shape = Readonly<{
  title: string;
  /** What the session runs. */
  act: string;
  word: 'proven' | 'passed';
  why: RegExp;
  /** Lines of the task. */
  lines?: string;
}>;

/** Each shape has a module of its own, so that none touches another's. */
const old = ['renamed', 'moved', 'removed', 'rewritten', 'wanted', 'inner', 'saidInner', 'shot'];
const files = {
  ...filesOf(...old),
  'test/shot.snap': '4\n',
  'want.txt': '5\n',
  'tools/old.mjs': 'export const old = 1;\n',
  'test/shot.test.mjs':
    "import fs from 'node:fs';\nimport { shot } from '../src/shot.mjs';\ntest('shot', () => equal(String(shot(2)), fs.readFileSync('test/shot.snap', 'utf8').trim()));\n",
};
const none = /no check of its own/;

const honest: readonly Shape[] = [
  {
    ...{ title: 'a function with its test', word: 'proven', why: /red without the work/ },
    act: put('src/added.mjs', source('added')) + put('test/added.test.mjs', testFile('added')),
  },
  {
    ...{ title: 'a check of its own', word: 'proven', why: /red before the work/ },
    ...{ lines: '- check: `test -e own.txt`\n', act: 'echo own > own.txt' },
  },
  {
    ...{ title: 'a renamed test beside new work', word: 'proven', why: /red without the work/ },
    act: `git mv test/renamed.test.mjs test/again.test.mjs; ${put('src/beside.mjs', source('beside'))}${put('test/beside.test.mjs', testFile('beside'))}`,
  },
  {
    ...{ title: 'a moved test', word: 'passed', why: none },
    act: `git rm -qf test/moved.test.mjs; ${put('test/unit/moved.test.mjs', testFile('moved', 4, '../../src/moved.mjs'))}`,
  },
  {
    ...{ title: 'a feature removed with its test', word: 'passed', why: none },
    lines: '- redefines: test/removed.test.mjs\n',
    act: 'git rm -qf src/removed.mjs test/removed.test.mjs',
  },
  {
    ...{ title: 'a rewritten test', word: 'passed', why: none },
    act: put('test/rewritten.test.mjs', testFile('rewritten').replace('(2), 4', '(4), 8')),
  },
  {
    ...{ title: 'an interface changed on purpose', word: 'proven', why: /red without the work/ },
    lines: '- redefines: test/wanted.test.mjs\n',
    act: put('src/wanted.mjs', source('wanted', 3)) + put('test/wanted.test.mjs', testFile('wanted', 6)),
  },
  {
    ...{ title: 'a refactoring', word: 'passed', why: none },
    act: put('src/inner.mjs', 'const two = 2;\nexport const inner = (n) => two * n;\n'),
  },
  {
    ...{ title: 'a refactoring that says so', word: 'proven', why: /refactors/ },
    lines: '- refactor: true\n',
    act: put('src/saidInner.mjs', 'const two = 2;\nexport const saidInner = (n) => two * n;\n'),
  },
  {
    ...{ title: 'a snapshot that is meant to change', word: 'proven', why: /red without the work/ },
    lines: '- redefines: test/shot.*\n',
    act: `${put('src/shot.mjs', source('shot', 5))}echo 10 > test/shot.snap; echo '// more' >> test/shot.test.mjs`,
  },
  { title: 'docs', word: 'passed', why: none, act: 'echo more >> README.md' },
  { title: 'a lock file', word: 'passed', why: none, act: "echo '{}' > package-lock.json" },
  {
    ...{ title: 'a dependency', word: 'passed', why: none },
    act: `sed -i 's/{"type"/{"dependencies": {"left-pad": "1"}, "type"/' package.json`,
  },
  {
    ...{ title: 'configuration that it asks for: .babelrc.json', word: 'passed', why: none },
    act: "echo '{}' > .babelrc.json",
  },
  { title: 'an ignore rule', word: 'passed', why: none, act: "echo '*.tmp' >> .gitignore" },
  { title: 'a generated file', word: 'passed', why: none, act: put('dist/all.js', source('all')) },
  { title: 'types alone', word: 'passed', why: none, act: put('src/added.d.ts', 'export {};\n') },
  {
    title: 'tests of what was there',
    word: 'passed',
    why: none,
    act: put('test/more.test.mjs', testFile('inner')),
  },
  { title: 'comments and layout', word: 'passed', why: none, act: "echo '// A note.' >> src/renamed.mjs" },
  {
    ...{ title: 'a workflow of CI', word: 'passed', why: none },
    act: put('.github/workflows/ci.yml', 'on: push\n'),
  },
  {
    ...{ title: 'a program among tools with its test', word: 'proven', why: /red without the work/ },
    act:
      put('tools/old.mjs', source('tool')) +
      put('test/tool.test.mjs', testFile('tool', 4, '../tools/old.mjs')),
  },
  {
    ...{ title: 'a fixture with its test', word: 'proven', why: /red without the work/ },
    act:
      put('test/fixtures/n.json', '2\n') +
      put(
        'src/read.mjs',
        "import fs from 'node:fs';\nexport const read = (file) => JSON.parse(fs.readFileSync(file));\n",
      ) +
      put(
        'test/read.test.mjs',
        "import { read } from '../src/read.mjs';\ntest('read', () => equal(read('test/fixtures/n.json'), 2));\n",
      ),
  },
];

/** Those that claim more than they show. */
const claiming: readonly Shape[] = [
  {
    title: 'a check of its own, green by a test that cannot fail',
    ...{ word: 'passed', why: /nothing misses this work/ },
    lines: '- check: `grep -q own test/own.test.mjs`\n',
    act: put('src/own.mjs', source('own')) + put('test/own.test.mjs', "test('own', () => equal(1, 1));\n"),
  },
  {
    ...{ title: 'a check of its own that a new test alone turns green', word: 'passed', why: /only tests/ },
    lines: '- check: `test -e test/lone.test.mjs`\n',
    act: put('test/lone.test.mjs', testFile('inner')),
  },
  {
    ...{ title: 'a test that only loads the work', word: 'passed', why: /only load or read this work/ },
    act:
      put('src/load.mjs', source('load')) +
      put(
        'test/load.test.mjs',
        "import { load } from '../src/load.mjs';\ntest('load', () => equal(typeof load, 'function'));\n",
      ),
  },
  {
    ...{ title: 'an answer bent that its check compares with', word: 'passed', why: /want\.txt/ },
    lines: '- check: `echo 4 | diff - want.txt`\n',
    act: `echo 4 > want.txt; ${put('src/beside.mjs', source('beside'))}`,
  },
  {
    ...{ title: 'what no commit has', word: 'passed', why: /green without it/ },
    lines: '- check: `grep -q made node_modules/made.js`\n',
    act: 'mkdir -p node_modules; echo made > node_modules/made.js; echo more >> README.md',
  },
];

const shapes = [...share(honest, 3), ...claiming];

test('work of all shapes closes with the word it earned, and none is asked about; it is said once the experiments have said it, though a kill comes between: in facts, status, exit code, git', async () => {
  const tasks = shapes.map(
    ({ title, lines = '' }, at) => `### Task ${at + 1}: Do ${title}\n${lines}- [ ] Do it\n`,
  );
  await using scene = await makeNight({
    plan: `# Plan: Shapes\n\n## Checks\n- \`node run.mjs\`\n\n${tasks.join('\n')}`,
    files,
    turns: [...shapes.map(({ act }, at) => ({ when: `### Task ${at + 1}:`, steps: [{ bash: act }, done] }))],
    env: {
      // The last: all are closed by then.
      ...killAt(`journal proof-judged#${shapes.length}`),
      PAWL_PROVE: 'report',
      PAWL_REQUIRE: 'proven',
      PAWL_ARCHIVE: 'true',
      PAWL_VERIFY: 'fresh',
      PAWL_BUDGETS_MAX_SESSIONS: '60',
      PAWL_TASK_CORRECTIONS: '1',
    },
  });
  await expectExit('SIGKILL', scene.run());
  const ids = (word: Shape['word'], among = shapes) =>
    among.flatMap((shape, at) => (shape.word === word ? [`${at + 1}`] : []));
  const judgedBefore = shapes.slice(0, -1);
  const { tasks: counts } = JSON.parse((await scene.pawl('status', '--json')).stdout);
  expect(counts).toMatchObject({
    closed: shapes.length,
    proven: ids('proven', judgedBefore).length,
    passed: ids('passed', judgedBefore).length,
    pending: 1,
  });

  const ended = await scene.again();
  // What was journaled last before the kill was not shown any more.
  const lines = (await readRun(scene, 'journal.ndjson')).trim().split('\n');
  const both = { events: lines.map((line) => JSON.parse(line) as Ended['events'][number]) };
  expect(factsOf(ended, 'proof-judged')).toHaveLength(1);
  const judged = new Map(factsOf(both, 'proof-judged').map((fact) => [fact.task, fact]));
  const closed = new Map(factsOf(both, 'task-closed').map((fact) => [fact.task, fact]));
  const found = shapes.map(({ title }, at) => {
    const id = `${at + 1}`;
    const { proof, reason } = closed.get(id) ?? {};
    const { word = proof, reasons = [reason] } = judged.get(id) ?? {};
    return { title, word, why: reasons.join('; ') };
  });
  expect(found, tell(ended)).toEqual(
    shapes.map(({ title, word, why }) => ({ title, word, why: expect.stringMatching(why) })),
  );
  expect(factsOf(both, 'correction-sent')).toEqual([]);
  expect(factsOf(both, 'attempt-started')).toHaveLength(shapes.length);
  const { exit, reasons } = factsOf(ended, 'run-ended')[0] ?? {};
  expect({ exit, reasons }).toMatchObject({ exit: 4, reasons: [{ code: 'not-proven' }] });
  expect(reasons?.[0]?.text).toMatch(new RegExp(`${ids('passed').at(-1)}$`));
  const trailers = await scene.repo.git('log', '--format=%(trailers:key=Pawl-Proven,key=Pawl-Checks)');
  expect(trailers.match(/^Pawl-Checks: .*/gm)).toEqual(shapes.map(() => 'Pawl-Checks: passed'));
  const proven = [...trailers.matchAll(/^Pawl-Proven: (.*)/gm)].flatMap(([, list = '']) =>
    list.split(/[, ]+/),
  );
  expect(proven.toSorted()).toEqual(ids('proven').toSorted());
});

test('where a task may close only as proven, its session is told what is missed, and then a person is asked', async () => {
  const act =
    put('src/added.mjs', source('added')) + put('test/added.test.mjs', "test('added', () => {});\n");
  await using scene = await makeNight({
    plan: '# Plan: P\n\n## Checks\n- `node run.mjs`\n\n### Task 1: Add it\n- [ ] Do it\n\n### Task 2: Tell of it\n- [ ] Do it\n',
    files,
    turns: [
      {
        when: { regex: 'of task 1 are green[^]*green without the work' },
        steps: [{ bash: put('test/added.test.mjs', testFile('added')) }, done],
      },
      { when: 'may prove nothing', steps: [done] },
      { when: '### Task 1:', steps: [{ bash: act }, done] },
      { when: '### Task 2:', once: true, steps: [{ say: 'Where?\n\n{{marker NEEDS_INPUT which file?}}' }] },
      { when: '### Task 2:', steps: [{ bash: 'echo more >> README.md' }, done] },
    ],
    env: { PAWL_PROVE: 'close' },
  });
  const corrected = (ended: Ended) =>
    factsOf(ended, 'correction-sent').map(({ task, kind }) => `${task} ${kind}`);
  const asking = await scene.run();
  expect(corrected(asking), tell(asking)).toEqual(['1 proof']);
  expect(factsOf(asking, 'proof-judged')).toMatchObject([{ task: '1', word: 'proven' }]);
  // That says nothing about a proof.
  expect((await scene.pawl('answer', '2', 'README.md')).exit).toBe(0);
  const ended = await scene.again();
  expect(corrected(ended), tell(ended)).toEqual(['2 proof']);
  expect(factsOf(ended, 'task-set-aside')).toMatchObject([
    { task: '2', as: 'parked', reason: expect.stringContaining('not proven') },
  ]);
  expect((await scene.pawl('answer', '2', 'yes, it is docs')).exit).toBe(0);
  const again = await scene.again();
  expect(factsOf(again, 'task-closed'), tell(again)).toMatchObject([{ task: '2', proof: 'passed' }]);
  expect(again.exit).toBe(0);
});

test('where a task may close only as proven, a check of its own that is green after a kill is not enough', async () => {
  const act = put('test/added.test.mjs', testFile('renamed'));
  await using scene = await makeNight({
    plan: '# Plan: P\n\n### Task 1: Test it\n- check: `node run.mjs && test -e test/added.test.mjs`\n- [ ] Do it\n',
    files,
    turns: [
      { when: '### Task 1:', once: true, steps: [{ bash: `${act}touch ready; sleep 60` }] },
      { when: { regex: '### Task 1:|of task 1 are green' }, steps: [done] },
    ],
    env: { PAWL_PROVE: 'close' },
  });
  await endAt(scene, 'ready');
  const ended = await expectExit(3, scene.again());
  expect(factsOf(ended, 'task-set-aside')).toMatchObject([{ as: 'parked' }]);
});
