import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { editPlan } from '../../src/cli/edit.ts';
import { Failure } from '../../src/failure.ts';
import { makeRunFolder } from '../../src/journal/folder.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import { planEditFile, readPlanEdit, removePlanEdit } from '../../src/plan/edit-file.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
let plan: string;
const text = '# Plan: P\n\n### Task 1: a\n- check: `false`\n- [ ] b\n';

beforeEach(() => {
  world = makeWorld();
  // Kept copies go with the world.
  vi.stubEnv('TMPDIR', world.top);
  execFileSync('git', ['init', '-q'], { cwd: world.cwd });
  plan = world.write('p.md', text);
});
afterEach(() => {
  vi.unstubAllEnvs();
  world[Symbol.dispose]();
});

const edit = (editor: string, take?: number) =>
  world.run(editPlan, take === undefined ? {} : { take }, ['p.md'], {
    env: { ...world.context().env, EDITOR: editor },
  });

const now = () => readFileSync(plan, 'utf8');

async function refusal(editing: Promise<unknown>): Promise<Failure> {
  const error = await editing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw error ?? new Error('it was taken');
}

/** A run of the plan, with its lock held by this process. */
function startRun(): { folder: string } & Disposable {
  const gitDir = path.join(world.cwd, '.git');
  const { run, folder } = makeRunFolder(gitDir, new Date('2026-01-01T00:00:00Z'), 'p');
  const started = {
    v: 4,
    at: '2026-01-01T00:00:00.000Z',
    type: 'run-started',
    run,
    pawl: '1',
    plan: 'p.md',
    title: 'P',
    planPlace: 'tracked',
    branch: 'p',
    base: 'x',
    untracked: [],
    agent: 'script',
    agentCommand: 'x',
    billing: '',
    trusted: true,
  };
  world.write(
    path.relative(world.cwd, path.join(folder, 'journal.ndjson')),
    `${JSON.stringify({ ...started, maxSessions: 1 })}\n`,
  );
  const lock = acquireLock(gitDir, run, new Date());
  return { folder, [Symbol.dispose]: () => lock[Symbol.dispose]() };
}

test('a sound edit is written back, all other bytes as they were', async () => {
  const { exit, stdout } = await edit('sed -i s/b$/better/');
  expect([exit, stdout]).toEqual([0, 'p.md is changed.\n']);
  expect(now()).toBe(text.replace('] b', '] better'));
});

test('without a plan it says what it needs', async () => {
  expect((await refusal(world.run(editPlan, {}, []))).message).toBe('pawl edit needs the plan');
});

test('no change says so', async () => {
  expect(await edit('true')).toMatchObject({ exit: 0, stderr: 'Nothing changed.\n' });
});

test('an edit with mistakes is kept, not taken', async () => {
  const { code, hint } = await refusal(edit("sed -i 's/Task 1:/Task 1/'"));
  expect([code, now()]).toEqual(['plan', text]);
  expect(readFileSync(hint?.replace('It is kept: ', '') ?? '', 'utf8')).toContain('### Task 1 a');
});

test('a warning is a mistake where the settings make it one, as it would end the run', async () => {
  const editing = world.run(editPlan, {}, ['p.md'], {
    env: { ...world.context().env, EDITOR: 'sed -i /check/d', PAWL_STRICT: 'true' },
  });
  expect((await refusal(editing)).code).toBe('plan');
  expect(now()).toBe(text);
  expect((await edit('sed -i /check/d')).exit).toBe(0);
});

test('an editor that fails changes nothing', async () => {
  expect((await refusal(edit('false'))).code).toBe('environment');
  expect(now()).toBe(text);
});

test('without a terminal and without an editor it says what to do', async () => {
  const editing = world.run(editPlan, {}, ['p.md'], { env: {} });
  expect(await refusal(editing)).toMatchObject({ code: 'usage', hint: expect.stringContaining('EDITOR') });
});

test('somebody else’s change meanwhile is not overwritten', async () => {
  const { message, hint } = await refusal(edit(`sh -c 'echo >> ${plan}; sed -i s/b$/better/ "$1"' x`));
  expect(message).toContain('changed by somebody else');
  expect(readFileSync(hint?.replace('Your edit is kept: ', '') ?? '', 'utf8')).toContain('better');
  expect(now()).toBe(`${text}\n`);
});

test('while the plan runs, the edit waits in the run folder; the next one goes on from it', async () => {
  using run = startRun();
  expect((await edit('sed -i s/b$/better/')).stdout).toBe(
    'p.md is running: the edit applies at the next round.\n',
  );
  expect(now()).toBe(text);
  await edit('sed -i s/better$/best/');
  expect(readPlanEdit(run.folder)).toBe(text.replace('] b', '] best'));
  removePlanEdit(run.folder);
  expect(readPlanEdit(run.folder)).toBeUndefined();
  expect(planEditFile(run.folder)).toBe(path.join(run.folder, 'plan.edit.md'));
});

test('an edit that was set aside is taken by its number, if it is sound', async () => {
  let folder: string;
  {
    using run = startRun();
    folder = path.relative(world.cwd, run.folder);
  }
  world.write(path.join(folder, 'plan-001.proposed.md'), text.replace('] b', '] proposed'));
  world.write(path.join(folder, 'plan-002.proposed.md'), '# no tasks\n');
  expect((await edit('false', 1)).stdout).toBe('p.md is changed.\n');
  expect(now()).toContain('[ ] proposed');
  expect((await refusal(edit('false', 2))).message).toContain('no-tasks');
  expect((await refusal(edit('false', 3))).message).toMatch(/has no set-aside edit 3$/);
});

test('without a run nothing was set aside', async () => {
  expect((await refusal(edit('false', 1))).message).toBe('p.md has no run, so nothing was set aside');
});
