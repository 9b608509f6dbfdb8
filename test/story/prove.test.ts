// `pawl prove`: a branch that somebody else made, judged by the checks of its base and by experiments; nothing of the
// repository is changed.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, makeScene, type Scene } from '../helpers/pawl.ts';
import { sarifLog } from '../helpers/sarif-log.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const numbers = 'export const double = (n) => n * 2;\n';
const testOf = (name: string, body: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport * as numbers from '../numbers.mjs';\n\ntest('${name}', () => {\n  ${body}\n});\n`;
const check = 'node --test test/*.test.mjs';

/** A branch `work` off `main` with these files in its commit. */
async function makeBranch(files: Readonly<Record<string, string>>): Promise<Scene> {
  const scene = await makeScene({
    turns: [],
    files: {
      'numbers.mjs': numbers,
      'test/double.test.mjs': testOf('double', 'assert.equal(numbers.double(3), 6);'),
      '.pawl/config.yaml': `checks: [${check}]\n`,
    },
  });
  const { repo } = scene;
  await repo.git('switch', '-qc', 'work');
  for (const [file, text] of Object.entries(files)) await repo.write(file, text);
  await repo.commit('work');
  return scene;
}

const add = `${numbers}\n// Sums.\nexport const add = (a, b) => a + b;\n`;
const addTest = testOf('add', 'assert.equal(numbers.add(1, 2), 3);');

test.each([
  [
    'a test that cannot fail',
    { 'numbers.mjs': add, 'test/add.test.mjs': testOf('add', 'assert.ok(1);') },
    'passed',
    0,
  ],
  [
    'all tests skipped',
    { 'test/double.test.mjs': testOf('double', '').replace('test(', 'test.skip(') },
    'unchecked',
    4,
  ],
  [
    'a check that the branch weakens in the settings',
    { 'numbers.mjs': 'export const double = (n) => n;\n', '.pawl/config.yaml': 'checks: ["true"]\n' },
    'unchecked',
    1,
  ],
])('%s', async (_, files, word, exit) => {
  await using scene = await makeBranch(files);
  const before = await scene.repo.git('for-each-ref');
  const ended = await expectExit(exit, scene.pawl('prove', '--base', 'main', '--trust', '--json'));
  expect(JSON.parse(ended.stdout)).toMatchObject({
    word,
    checks: [check],
    checksFrom: 'the settings of the base',
  });
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  expect(await scene.repo.git('for-each-ref')).toBe(before);
});

test('a check that is red on the base for want of a new test proves nothing', async () => {
  await using scene = await makeBranch({ 'test/own.test.mjs': testOf('own', 'assert.ok(1);') });
  const own = ['--check', 'node --test test/own.test.mjs'] as const;
  const ended = await expectExit(0, scene.pawl('prove', '--base', 'main', '--trust', '--json', ...own));
  expect(JSON.parse(ended.stdout)).toMatchObject({
    word: 'passed',
    experiments: { withoutWork: 'tests-alone' },
  });
});

test('what a red check prints shows no secret', async () => {
  await using scene = await makeBranch({
    'test/double.test.mjs': testOf('double', 'assert.fail(process.env.SOME_TOKEN);'),
  });
  Object.assign(scene.env, { SOME_TOKEN: 'hunter2hunter2' });
  const { stdout } = await expectExit(1, scene.pawl('prove', '--base', 'main', '--trust', '--markdown'));
  expect(stdout).toContain('[SOME_TOKEN]');
  expect(stdout).not.toContain('hunter2');
});

test('tests removed with what they tested are fewer, unless a person lets the work redefine them', async () => {
  await using scene = await makeBranch({ 'test/add.test.mjs': addTest, 'numbers.mjs': add });
  const { repo } = scene;
  await repo.git('switch', '-q', '-C', 'main');
  await repo.git('switch', '-qc', 'less');
  await repo.write('numbers.mjs', numbers);
  await repo.git('rm', '-q', 'test/add.test.mjs');
  await repo.git('commit', '-qam', 'less');
  const words = ['prove', '--base', 'main', '--trust', '--json'] as const;
  const [without, another, leave] = [
    await scene.pawl(...words),
    await scene.pawl(...words, '--redefines', 'test/double.test.mjs'),
    await scene.pawl(...words, '--redefines', 'test/double.test.mjs', '--redefines', 'test/add.*'),
  ];
  expect(JSON.parse(without.stdout)).toMatchObject({ word: 'unchecked' });
  expect(another.exit, another.stderr).toBe(4);
  expect(leave.exit, leave.stderr).toBe(0);
  expect(JSON.parse(leave.stdout)).toMatchObject({
    word: 'passed',
    experiments: { redefined: [{ file: 'test/add.test.mjs' }] },
  });
});

test('a range names the commits, whatever is checked out; one that does not exist is named', async () => {
  await using scene = await makeBranch({ 'numbers.mjs': add, 'test/add.test.mjs': addTest });
  await scene.repo.git('switch', '-q', 'main');
  const ended = await scene.pawl('prove', 'main..work', '--trust', '--json');
  const work = await scene.repo.git('rev-parse', 'work');
  expect(JSON.parse(ended.stdout), ended.stderr).toMatchObject({ word: 'proven', head: work });
  for (const wrong of ['main..nope', 'nope..work', 'work..main'])
    expect((await scene.pawl('prove', wrong, '--trust')).exit).toBe(2);
});

test('less than what is required is exit 4; SARIF names bent tests and what no test misses by their lines', async () => {
  await using scene = await makeBranch({
    'numbers.mjs': add.replace('n * 2', 'n * 3'),
    'unused.mjs': 'export const unused = 1;\n',
    'test/add.test.mjs': addTest,
    'test/double.test.mjs': testOf('double', 'assert.equal(numbers.double(3), 9);'),
  });
  const ended = await expectExit(
    4,
    scene.pawl('prove', '--base', 'main', '--trust', '--require', 'proven', '--sarif'),
  );
  const [run] = sarifLog.parse(JSON.parse(ended.stdout)).runs;
  expect(run?.results.map(({ ruleId }) => ruleId)).toContain('old-expectation');
  expect(run?.results.map(({ ruleId }) => ruleId)).toContain('unproven');
  expect(JSON.stringify(run?.results)).toContain('"startLine":6');
});

test('interrupted, it leaves nothing behind', async () => {
  await using scene = await makeBranch({ 'a.txt': 'a\n' });
  using folder = makeTempFolder();
  scene.env['TMPDIR'] = folder.path;
  const check = `touch '${scene.home}/began'; sleep 600`;
  const running = scene.start('prove', '--base', 'main', '--trust', '--check', check);
  await expect.poll(() => existsSync(path.join(scene.home, 'began')), { timeout: 30_000 }).toBe(true);
  running.child.kill('SIGINT');
  await expectExit(130, running.ended);
  expect(readdirSync(folder.path)).toEqual([]);
});
