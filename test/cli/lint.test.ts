import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type LintCommandOptions, lintPlans } from '../../src/cli/lint.ts';
import type { CliContext } from '../../src/start/context.ts';
import { answering, eachWorld } from './world.ts';

const world = eachWorld();

/** Of a plan with this text. */
function lint(text: string, options: LintCommandOptions = {}, more: Partial<CliContext> = {}) {
  world.write('p.md', text);
  return world.run(lintPlans, options, ['p.md'], more);
}

const sound = '# Plan: P\n\n### Task 1: a\n- check: `test -e made`\n- [ ] b\n';
const unchecked = '# Plan: P\n\n### Task 1: a\n- [ ] b\n';
const wrong = '# Plan: P\n\n### Task 1 a\n- [ ] b\n';

test('a sound plan is fine', async () => {
  expect(await lint(sound)).toEqual({ exit: 0, stdout: '', stderr: 'p.md: fine\n' });
});

test('tasks without a check of their own are named once, which is no mistake', async () => {
  world.write(
    'p.md',
    `# P\n\n## Checks\n- \`true\`\n\n${['1', '2'].map((id) => `### Task ${id}: a\n- [ ] b\n`).join('')}`,
  );
  expect(await world.run(lintPlans, { strict: true }, ['p.md'])).toEqual({
    exit: 0,
    stdout: expect.stringMatching(
      /^p\.md:6:1 note no-own-check tasks 1, 2 can be proven only by tests [^\n]*\n$/,
    ),
    stderr: 'p.md: fine\n',
  });
});

test('a file name can do nothing to the terminal', async () => {
  const name = 'a\nb\u001b[31mc.md';
  world.write(name, unchecked);
  expect(await world.run(lintPlans, {}, [name])).toMatchObject({
    stdout: expect.stringMatching(/^a bc\.md:3:1 warning task-without-check [^\n]*\n$/),
    stderr: 'a bc.md: 0 errors, 1 warning\n',
  });
});

test('at a terminal a note shows its place in the plan', async () => {
  const { stdout } = await lint(unchecked, {}, { isTty: true });
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'p.md:3:1 warning task-without-check',
    '  3 │ ### Task 1: a',
    '    │ ^',
  ]);
});

test('notes are on stdout with file, line and column; errors are exit 2', async () => {
  const { exit, stdout } = await lint(wrong);
  expect(stdout).toMatch(/^p\.md:3:\d+ error near-miss-heading /m);
  expect(exit).toBe(2);
});

test('warnings are exit 0, under --strict and strict: true exit 2', async () => {
  expect(await lint(unchecked)).toMatchObject({
    exit: 0,
    stderr: 'p.md: 0 errors, 1 warning\n',
  });
  expect((await world.run(lintPlans, { strict: true }, ['p.md'])).exit).toBe(2);
  expect((await world.run(lintPlans, {}, ['p.md'], { env: { PAWL_STRICT: 'true' } })).exit).toBe(2);
});

test('a check whose program is not there is named with its line, unless no baseline is taken', async () => {
  const env = { PATH: world.bin };
  const { stdout, exit } = await lint(sound.replace('test -e made', 'no-such-program -e made'), {}, { env });
  expect(stdout).toMatch(/^p\.md:4:\d+ warning no-program `no-such-program -e made` cannot run: /);
  expect(exit).toBe(0);
  const skip = { ...env, PAWL_BASELINE: 'skip' };
  expect((await world.run(lintPlans, {}, ['p.md'], { env: skip })).stdout).toBe('');
});

test('a check that names what is not there is told, unless a task brings it', async () => {
  world.write('package.json', '{"scripts":{"test":"x"}}');
  const { stdout } = await lint(sound.replace('test -e made', 'npm run tset'));
  expect(stdout).toBe(
    'p.md:4:10 warning no-program `npm run tset` cannot run: package.json has no script tset; correct it, or mention it in an earlier task that adds it\n',
  );
  expect(
    (await lint(sound.replace('test -e made', 'npm run e2e').replace('b\n', 'Add an e2e script\n'))).stdout,
  ).toBe('');
  expect(
    (await lint(sound.replace('test -e made', './run.sh').replace('- [ ]', '- files: run.sh\n- [ ]'))).stdout,
  ).toBe('');
});

test.each([
  ['docker', 'docker', 'there is no nowhere in the image of the sandbox;'],
  ['process', 'bwrap', 'there is no nowhere in the sandbox;'],
])('under %s a check’s program is looked for inside', async (kind, program, says) => {
  world.program(program, 'case "$*" in *" sh nowhere only-inside") echo nowhere; echo /looked; esac');
  const env = { PATH: `${world.bin}:/usr/bin:/bin`, PAWL_SANDBOX_KIND: kind, PAWL_SANDBOX_IMAGE: 'x' };
  const { stdout } = await lint(
    `${sound.replace('test -e made', 'nowhere -e made')}- check: \`only-inside\`\n`,
    {},
    { env },
  );
  expect(stdout).toContain(says);
  expect(stdout).not.toContain('only-inside');
});

test.each([
  ['the image is not there', 'test "$1" = run && echo nowhere && echo /looked', {}],
  ['the look does not come to its end', 'echo nowhere', {}],
  ['a shell inside reads a file first', 'echo nowhere; echo /looked', { PAWL_SANDBOX_ENV: '[BASH_ENV=/x]' }],
])('where %s nothing is said of programs', async (_, script, more) => {
  world.program('docker', script);
  const env = {
    PATH: `${world.bin}:/usr/bin:/bin`,
    PAWL_SANDBOX_KIND: 'docker',
    PAWL_SANDBOX_IMAGE: 'x',
    ...more,
  };
  expect(await lint(sound.replace('test -e made', 'nowhere -e made'), {}, { env })).toMatchObject({
    stdout: '',
    stderr: 'p.md: fine\n',
  });
});

test('--run-checks runs nothing on this machine where a sandbox is set', async () => {
  const env = { PATH: '/usr/bin:/bin', PAWL_SANDBOX_KIND: 'docker' };
  await expect(lint(sound, { runChecks: true }, { env })).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('sandbox.kind is docker'),
  });
});

test('--run-checks asks for trust first: the settings that it makes count may want a sandbox', async () => {
  world.write('p.md', sound.replace('test -e made', 'touch ran'));
  world.write('.pawl/config.yaml', 'sandbox: { kind: docker }\n');
  const lint = world.run(lintPlans, { runChecks: true }, ['p.md'], answering(['y']));
  await expect(lint).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('sandbox.kind is docker'),
  });
  expect(existsSync(path.join(world.cwd, 'ran'))).toBe(false);
});

test('checks of the configuration count', async () => {
  expect((await lint(unchecked, {}, { env: { PAWL_CHECKS: 'npm test' } })).stderr).toBe('p.md: fine\n');
});

test('as JSON', async () => {
  const { stdout, stderr } = await lint(wrong, { json: true });
  expect(JSON.parse(stdout)[0]).toMatchObject({
    file: 'p.md',
    line: 3,
    column: 1,
    rule: 'near-miss-heading',
    severity: 'error',
  });
  expect(stderr).toBe('');
});

test('what a plan says does nothing to the terminal', async () => {
  const { stdout } = await lint(wrong.replace('Task 1 a', 'Task 1 \x1b[2Ka'));
  expect(stdout).toContain('Task 1: a`');
  expect(stdout).not.toContain('\x1b');
});

test('without a name all of docs/plans/ is linted, but not what is completed', async () => {
  world.write('docs/plans/b.md', sound);
  world.write('docs/plans/a.md', wrong);
  world.write('docs/plans/completed/c.md', wrong);
  const { exit, stdout, stderr } = await world.run(lintPlans, {});
  expect(new Set(stdout.match(/^[^:]+/gm))).toEqual(new Set(['docs/plans/a.md']));
  expect(stderr).toMatch(/^2 plans: /);
  expect(exit).toBe(2);
});

test('without a name and without plans it says what to give', async () => {
  await expect(world.run(lintPlans, {})).rejects.toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('pawl lint'),
  });
});

test('--run-checks says so where no task has a check of its own', async () => {
  const { exit, stderr } = await lint('# Plan: P\n## Checks\n- `true`\n### Task 1: A\n- [ ] a\n', {
    runChecks: true,
  });
  expect([exit, stderr]).toEqual([0, expect.stringContaining('No open task has its own check')]);
});

test('--run-checks finds a check that is green before the work, and needs trust', async () => {
  world.write(
    'p.md',
    `${sound}\n### Task 2: c\n- check: \`true\`\n- [ ] d\n\n### Task 3: e\n- check: \`touch must-not-run\`\n- [x] f\n`,
  );
  await expect(world.run(lintPlans, { runChecks: true }, ['p.md'])).rejects.toMatchObject({ code: 'trust' });
  world.trust();
  const { exit, stdout, stderr } = await world.run(lintPlans, { runChecks: true }, ['p.md']);
  expect(stdout).toMatch(/^p\.md:8:\d+ warning vacuous-check /);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toContain('must-not-run');
  expect(stderr).toMatch(/p\.md: 0 errors, 1 warning; 2 checks of open tasks run, 1 red now/);
  expect(exit).toBe(0);
});

test.each([
  ['the plan’s', '---\ncwd: sub\n---\n', ''],
  ['the task’s', '', '- cwd: sub\n'],
])('--run-checks runs a check in %s folder, as a run does', async (_whose, matter, attribute) => {
  world.write('sub/made', '');
  world.trust();
  const { stdout } = await lint(matter + sound.replace('- check', `${attribute}- check`), {
    runChecks: true,
  });
  expect(stdout).toContain('vacuous-check');
});
