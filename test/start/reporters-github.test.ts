// What a run writes where GitHub Actions runs it, on which stream, and where it does not run it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createGithub } from '../../src/start/reporters.ts';
import { eachWorld } from '../cli/world.ts';
import { fact, setAside, stateOf } from '../helpers/facts.ts';

const world = eachWorld();

const state = stateOf(setAside('failed'), fact('run-ended'));
const annotation = '::error title=pawl%3A a task failed::task 2 failed: red: npm test%0ASee pawl report.\n';

/** What is written when a run ends so; `told`: it came to its end. */
function play(env: Readonly<Record<string, string>>, { json = false, told = true } = {}) {
  return world.run(
    async (context) => {
      const [github] = createGithub(context, { json });
      context.stdout.write('work\n');
      if (told) github?.finish?.(state);
      github?.close();
      return 0;
    },
    {},
    [],
    { env },
  );
}

test('an annotation after the work, whose lines are no commands', async () => {
  const word = 'ab'.repeat(16);
  expect(await play({ GITHUB_ACTIONS: 'true' })).toMatchObject({
    stdout: `::stop-commands::${word}\nwork\n::${word}::\n${annotation}`,
    stderr: '',
  });
});

test('commands are taken again after a run that failed on its way', async () => {
  const { stdout } = await play({ GITHUB_ACTIONS: 'true' }, { told: false });
  expect(stdout).toMatch(/^::stop-commands::(\w+)\nwork\n::\1::\n$/);
});

test('with --json stdout is left to the program', async () => {
  expect(await play({ GITHUB_ACTIONS: 'true' }, { json: true })).toMatchObject({
    stdout: 'work\n',
    stderr: annotation,
  });
});

test('nothing elsewhere', async () => {
  const summary = path.join(world.top, 'summary.md');
  for (const env of [{}, { GITHUB_ACTIONS: 'false' }])
    expect(await play({ ...env, GITHUB_STEP_SUMMARY: summary })).toMatchObject({
      stdout: 'work\n',
      stderr: '',
    });
  expect(() => readFileSync(summary)).toThrow();
});

test('the summary is appended to what the step said before', async () => {
  const summary = path.join(world.top, 'summary.md');
  writeFileSync(summary, 'before\n');
  await play({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^before\n\*\*Not finished: a task failed.*## Cost and time/s,
  );
});

test('a summary that cannot be written is said, and nothing more', async () => {
  const { exit, stderr } = await play({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/no/such/folder/x' });
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^The summary of the step was not written: cannot open \/no\/such\/folder\/x/);
});
