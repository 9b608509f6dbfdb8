import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { initProject } from '../../src/cli/init.ts';
import { migrateSetup } from '../../src/cli/migrate.ts';
import { loadConfig } from '../../src/config/load.ts';
import { readReviewer, readTemplate, withStagePrompts } from '../../src/prompt/library.ts';
import { tryTemplates } from '../../src/prompt/try-templates.ts';
import { libraryOf } from '../../src/start/run-base.ts';
import { eachWorld } from './world.ts';

const world = eachWorld({ git: true });

const config = () =>
  loadConfig({ root: world.cwd, env: {}, folders: world.context().folders, trusted: true }).config;
const writeUser = (file: string, text: string) => {
  const target = path.join(world.context().folders.home, '.config/ralphex', file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
};

/** A setup with something of each kind, the project's and the user's. */
function setUp() {
  world.write(
    '.ralphex/config',
    'review_model = sonnet\nfinalize_enabled = true\nmax_external_iterations = 2\n',
  );
  world.write(
    '.ralphex/prompts/task.txt',
    'Work on {{GOAL}}, in {{PLAN_FILE}}. <<<RALPHEX:ALL_TASKS_DONE>>>\n',
  );
  world.write('.ralphex/prompts/finalize.txt', 'Squash onto {{DEFAULT_BRANCH}}.\n');
  world.write(
    '.ralphex/prompts/review_first.txt',
    'Ask {{agent:go}} and {{agent:house}}. <<<RALPHEX:REVIEW_DONE>>>\n',
  );
  world.write('.ralphex/agents/go.txt', '---\nmodel: opus\nagent: go-expert\n---\nLook at the Go code.\n');
  world.write('.ralphex/progress/old.txt', 'log');
  writeUser(
    'config',
    '# task_model =\nreview_model = opus\ntask_model = haiku\nplans_dir = plans\nnotify_slack_token = xoxb-1\n',
  );
  writeUser('agents/house.txt', 'Look at {{DEFAULT_BRANCH}}.\n');
  world.write('package.json', '{"scripts":{"test":"node --test"}}');
}

test('a setup is told and not written, and with --write becomes one that pawl starts with', async () => {
  setUp();
  const files = () => globSync(['.pawl/**', '../home/.config/pawl/**'], { cwd: world.cwd });
  const told = await world.run(migrateSetup, {});
  expect([told.exit, files()]).toEqual([0, []]);
  expect(told.stdout).toContain('pawl migrate --write');
  expect(told.stdout).not.toContain('xoxb-1');

  const wrote = await world.run(migrateSetup, { write: true });
  expect([wrote.exit, wrote.stdout.includes('xoxb-1')]).toEqual([0, false]);
  const { roles, review, finalize, checks } = config();
  expect({ roles, finalize, checks }).toEqual({
    roles: { plan: 'haiku', task: 'haiku', review: 'sonnet', fix: 'sonnet' },
    finalize: { prompt: 'Do what is said above.', squash: false },
    checks: ['npm test'],
  });
  const { stages } = review;
  expect(stages).toMatchObject([{ name: 'first' }, { name: 'external', rounds: 2 }, { name: 'final' }]);
  const library = libraryOf(world.context(), world.cwd);
  tryTemplates(library, ['task', 'review', 'finalize', 'replan', 'plan']);
  expect(withStagePrompts(stages, library)[0]?.reviewers).toEqual(['review_first']);
  expect(readReviewer(library, 'go')).toMatchObject({ model: 'opus', subAgent: 'go-expert' });
  expect(readTemplate(library, 'task').text).toContain('Work on {{GOAL}}');

  const again = await world.run(migrateSetup, { write: true });
  expect(again).toMatchObject({ exit: 0, stdout: expect.not.stringContaining('wrote') });
});

test('finalizing becomes a squash where its prompt lies in the user’s folder, but nobody wrote into it', async () => {
  world.write('.ralphex/config', 'finalize_enabled = true\n');
  writeUser('prompts/finalize.txt', '# Runs once after the reviews\n');
  world.write('docs/plans/login.md', '# Plan: Login\n');
  await world.run(migrateSetup, { write: true });
  expect(config().finalize).toEqual({ squash: true });
});

test('nothing is written over a file that is there, and it is told what is missing in it', async () => {
  setUp();
  world.write('.pawl/config.yaml', 'strict: true\n');
  const { exit, stdout } = await world.run(migrateSetup, { write: true });
  expect(exit).toBe(3);
  expect(readFileSync(path.join(world.cwd, '.pawl/config.yaml'), 'utf8')).toBe('strict: true\n');
  expect(stdout).toMatch(/kept +\S*\.pawl\/config\.yaml/);
  expect(existsSync(path.join(world.cwd, '.pawl/templates/prompts/task.txt'))).toBe(true);
});

test.each([
  ['config', '.ralphex/config'],
  ['an agent', '.ralphex/agents/go.txt'],
])('a link of the project that leads out of it is not read: %s', async (_, file) => {
  setUp();
  execFileSync('rm', [path.join(world.cwd, file)]);
  symlinkSync('/etc/hostname', path.join(world.cwd, file));
  await expect(world.run(migrateSetup, { write: true })).rejects.toThrow(
    `${file} is no file of this repository`,
  );
  expect(existsSync(path.join(world.cwd, '.pawl'))).toBe(false);
});

test('nothing is written behind a link', async () => {
  setUp();
  mkdirSync(path.join(world.top, 'elsewhere'));
  symlinkSync(path.join(world.top, 'elsewhere'), path.join(world.cwd, '.pawl'));
  await expect(world.run(migrateSetup, { write: true })).rejects.toThrow('.pawl is a symbolic link');
});

test('without a setup it says so, and init points to it where there is one', async () => {
  await expect(world.run(migrateSetup, {})).rejects.toThrow('there is no ralphex setup here');
  setUp();
  await expect(world.run(initProject, {})).rejects.toThrow('this repository has a ralphex setup');
  expect(existsSync(path.join(world.cwd, '.pawl'))).toBe(false);
  expect((await world.run(initProject, { yes: true })).exit).toBe(0);
  expect((await world.run(migrateSetup, { write: true })).exit).toBe(0);
  expect(config().roles).toMatchObject({ review: 'sonnet' });
  expect(config().checks).toEqual(['npm test']);
});
