import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { initProject } from '../../src/cli/init.ts';
import { lintPlans } from '../../src/cli/lint.ts';
import { loadConfig } from '../../src/config/load.ts';
import { isTrusted } from '../../src/start/consent.ts';
import { answering, eachWorld } from './world.ts';

const world = eachWorld({ git: true });

const read = (file: string) => readFileSync(path.join(world.cwd, file), 'utf8');
const config = () =>
  loadConfig({ root: world.cwd, env: {}, folders: world.context().folders, trusted: true }).config;

test('it proposes the project’s own checks and writes a plan that lints', async () => {
  world.write('package.json', JSON.stringify({ scripts: { test: 'node --test' } }));
  const { exit, stdout, stderr } = await world.run(initProject, { yes: true });
  expect([exit, stderr]).toEqual([0, 'wrote  .pawl/config.yaml\nwrote  docs/plans/first-plan.md\n']);
  expect(stdout).toContain('pawl run docs/plans/first-plan.md');
  expect(config().checks).toEqual(['npm test']);
  expect(read('docs/plans/first-plan.md')).toContain('- `npm test`');
  expect(await world.run(lintPlans, { strict: true })).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/: fine\n$/),
  });
});

test.each([
  ['has none', [], 'found'],
  ['has one that nobody chose', ['n', ' ', '\r', '\r'], 'chosen'],
  ['has one that is red', ['y', '\r', '\r'], 'chosen'],
])('a project without checks is told so: it %s', async (_, keys, lack) => {
  if (keys.length > 0) world.write('package.json', JSON.stringify({ scripts: { test: 'node --test' } }));
  world.program('npm', 'exit 1');
  const { stdout } = await world.run(initProject, {}, [], keys.length > 0 ? answering(keys) : {});
  expect(stdout).toContain(`No checks were ${lack}: `);
  expect(config().checks).toEqual([]);
  expect((await world.run(lintPlans, {})).exit).toBe(0);
});

test.each<[theirs: Record<string, string>, trusted: boolean]>([
  [{}, true],
  [{ '.claude/settings.json': '{}' }, false],
  [{ 'docs/plans/mine.md': 'x' }, false],
])('what init wrote on a person’s answers beside %j is trusted: %s', async (theirs, trusted) => {
  for (const [file, text] of Object.entries(theirs)) world.write(file, text);
  await world.run(initProject, {}, [], answering(['\r']));
  expect(isTrusted(world.context(), world.cwd)).toBe(trusted);
  world.write('.pawl/config.yaml', `${read('.pawl/config.yaml')}checks: ['true']\n`);
  expect(isTrusted(world.context(), world.cwd)).toBe(false);
});

test('it overwrites nothing, and makes no plan where there is one', async () => {
  world.write('.pawl/config.yaml', 'strict: true\n');
  world.write('docs/plans/mine.md', 'x');
  const { exit, stdout, stderr } = await world.run(initProject, { yes: true });
  expect([exit, stderr]).toEqual([0, 'kept   .pawl/config.yaml (it was there)\n']);
  expect(stdout).toMatch(/^Next:/);
  expect(stdout).toContain('  pawl run docs/plans/mine.md\n');
  expect(stdout).not.toContain('first-plan');
  expect(read('.pawl/config.yaml')).toBe('strict: true\n');
});

test('a file that has no end, or is a pipe, is none of the project’s', async () => {
  symlinkSync('/dev/zero', path.join(world.cwd, 'package.json'));
  execFileSync('mkfifo', [path.join(world.cwd, 'Makefile')]);
  world.write('go.mod', '');
  await world.run(initProject, { yes: true });
  expect(config().checks).toEqual(['go test ./...', 'go vet ./...']);
});

test('what comes next works from where the person stands', async () => {
  world.write("docs/plans/it's.md", 'x');
  mkdirSync(path.join(world.cwd, 'src'));
  const { stdout } = await world.run(initProject, { yes: true }, [], { cwd: path.join(world.cwd, 'src') });
  expect(stdout).toContain("  pawl lint '../docs/plans/it'\\''s.md'\n");
});

test('a repository that was trusted stays so; one that was not does not become so', async () => {
  await world.run(initProject, { yes: true });
  expect(isTrusted(world.context(), world.cwd)).toBe(false);
  execFileSync('rm', ['-r', '.pawl'], { cwd: world.cwd });
  world.trust();
  await world.run(initProject, { yes: true });
  expect(isTrusted(world.context(), world.cwd)).toBe(true);
});

test.each([
  ['.pawl', '../elsewhere'],
  ['.pawl', '/nowhere'],
  ['docs', '../elsewhere'],
])('nothing is written behind a link: %s to %s', async (name, target) => {
  mkdirSync(path.join(world.top, 'elsewhere'));
  symlinkSync(target, path.join(world.cwd, name));
  await expect(world.run(initProject, { yes: true })).rejects.toMatchObject({
    code: 'preflight',
    message: `${name} is a symbolic link, to ${target}: nothing is written there`,
    hint: expect.stringContaining(`rm ${name}`),
  });
  expect(readdirSync(path.join(world.top, 'elsewhere'))).toEqual([]);
  expect(readdirSync(world.cwd).sort()).toEqual(['.git', name]);
});

test('a folder of plans may be a link, where nothing is to be written, or within the repository', async () => {
  mkdirSync(path.join(world.cwd, 'own'));
  symlinkSync('own', path.join(world.cwd, 'docs'));
  expect(await world.run(initProject, { yes: true })).toMatchObject({ exit: 0 });
  expect(read('own/plans/first-plan.md')).toContain('# Plan');
  execFileSync('mv', ['own', '../elsewhere'], { cwd: world.cwd });
  execFileSync('ln', ['-sfn', '../elsewhere', 'docs'], { cwd: world.cwd });
  expect(await world.run(initProject, { yes: true })).toMatchObject({ exit: 0 });
});

test('outside a repository it says what to do', async () => {
  await expect(world.run(initProject, {}, [], { cwd: world.top })).rejects.toMatchObject({
    code: 'preflight',
    hint: expect.stringContaining('git init'),
  });
});
