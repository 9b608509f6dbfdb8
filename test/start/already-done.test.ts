// What `pawl run` says of plans that finished runs have archived: they are done, with the exit code of their runs.
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../src/cli/plan.ts';
import { reviewBranch } from '../../src/cli/review.ts';
import { runPlan } from '../../src/cli/run.ts';
import { digestText } from '../../src/digest.ts';
import type { Fact } from '../../src/event.ts';
import type { RunFlags } from '../../src/start/run-options.ts';
import { eachWorld } from '../cli/world.ts';
import { fact } from '../helpers/facts.ts';
import { writeRun } from '../helpers/write-run.ts';

const at = new Date('2026-01-02T03:00:00Z');
const unchecked = { exit: 4, code: 'unchecked', text: 'task 1 is unchecked' };
const ended = (exit: number, finished = true) =>
  fact('run-ended', { exit, finished, reasons: exit === 4 ? [unchecked] : [] });
const world = eachWorld({ git: true });

function makeRun(name: string, ...facts: readonly Fact[]): string {
  const read = facts.some(({ type }) => type === 'plan-read') ? [] : [fact('plan-read')];
  const started = { at, plan: `${name}.md`, branch: name };
  return writeRun(`${world.cwd}/.git`, started, ...read, ...facts).folder;
}

const archived = (name: string) => fact('plan-archived', { from: `${name}.md`, to: `completed/${name}.md` });
const run = (plans: readonly string[], options: RunFlags = {}) => world.run(runPlan, options, plans);

it('says that it is done, and where plan and report are', async () => {
  const folder = makeRun('auth', archived('auth'), ended(4));
  const { exit, stdout, stderr } = await run(['auth.md']);
  expect({ exit, stderr }).toEqual({ exit: 4, stderr: '' });
  expect(stdout.replace(folder, 'FOLDER')).toMatchInlineSnapshot(`
    "auth.md is done: its run has finished, and nothing is left to run.
      end      something is not proven or the review is not clean (exit 4)
               task 1 is unchecked
      plan     completed/auth.md
      branch   auth
      report   FOLDER/report.md
      next     pawl report auth.md shows it
    "
  `);
});

it('as JSON is the end of its run, and of several plans the ends of theirs', async () => {
  makeRun('auth', archived('auth'), ended(0));
  makeRun('cache', archived('cache'), ended(4));
  const { exit, stdout } = await run(['auth.md', 'cache.md'], { json: true });
  const events = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(exit).toBe(4);
  expect(events).toMatchObject([
    { type: 'run-ended', exit: 0, finished: true },
    { type: 'run-ended', exit: 4, finished: true },
  ]);
});

it('with what is unchecked accepted afterwards ends as if it had been from the start', async () => {
  makeRun('auth', archived('auth'), ended(4));
  const { exit, stdout } = await run(['auth.md'], { require: 'unchecked' });
  expect(exit).toBe(0);
  expect(stdout).toContain('  end      done (exit 0)\n  plan');
  const open = { exit: 4, code: 'review', text: 'review first ended capped' };
  makeRun(
    'cache',
    archived('cache'),
    fact('run-ended', { exit: 4, reasons: [unchecked, open], finished: true }),
  );
  expect(await run(['cache.md'], { require: 'unchecked' })).toMatchObject({
    exit: 4,
    stdout: expect.stringContaining('(exit 4)\n           review first ended capped\n  plan'),
  });
});

it('with what only a changed definition makes green, accepted afterwards or not', async () => {
  const weakened = { exit: 4, code: 'weakened', text: 'red without the change of package.json' };
  const verified = fact('fresh-verified', {
    result: 'red',
    weakened: [{ file: 'package.json', by: ['1'] }],
  });
  const end = fact('run-ended', { exit: 4, reasons: [weakened], finished: true });
  makeRun('auth', archived('auth'), verified, end);
  expect(await run(['auth.md'], { require: 'unchecked' })).toMatchObject({ exit: 0 });
  expect(await run(['auth.md'], { require: 'passed' })).toMatchObject({ exit: 4 });
});

it('as a dry run leaves the ground of the run as it is', async () => {
  const worktree = { path: world.top, from: world.cwd, portOffset: 0 };
  const started = { at, plan: 'auth.md', branch: 'auth', worktree };
  writeRun(`${world.cwd}/.git`, started, fact('plan-read'), archived('auth'), ended(0));
  expect(await run(['auth.md'], { dryRun: true })).toMatchObject({ exit: 0, stderr: '' });
});

it('begun anew, says where the plan is now', async () => {
  const to = 'completed/auth-2.md';
  makeRun('auth', fact('plan-archived', { from: 'auth.md', to }), ended(0));
  for (const file of [to, 'completed/auth.md']) world.write(file, '# Plan: P\n');
  await expect(run(['auth.md'], { fresh: true })).rejects.toMatchObject({
    code: 'plan',
    message: `auth.md is done, and its run has moved it to ${to}`,
    hint: expect.stringContaining(`pawl run ${to}`),
  });
});

it('says what is wrong on the command line before it finds anything done', async () => {
  makeRun('auth', archived('auth'), ended(0));
  for (const [options, says] of [
    [{ maxCost: 'abc' }, /--max-cost: .*not “abc”/],
    [{ set: ['budgets.maxSessions=1.5'] }, /--set: .*a number without a fraction, not 1\.5/],
    [{ maxTime: '3' }, /takes a time with its unit, e\.g\. 90s, 10m or 4h, not “3”/],
    [{ set: ['nope=1'] }, /there is no setting nope/],
  ] as const)
    await expect(run(['auth.md'], options)).rejects.toThrow(says);
});

it.each([
  ['review', reviewBranch],
  ['plan', makePlan],
] as const)('%s, too, before it asks for trust or looks at the repository', async (_, command) => {
  const refused = world.run<RunFlags>(command, { maxCost: 'abc' }, [], { cwd: world.top });
  await expect(refused).rejects.toThrow(/--max-cost: .*not “abc”/);
});

describe('the plan is here, as it was when the run began', () => {
  const text = '# Plan: P\n\n### Task 1: a\n- [ ] b\n';
  const here = { ...fact('plan-read'), hash: digestText(text) };
  const branchIs = (there: boolean) => {
    world.git('commit', '-q', '--allow-empty', '-m', 'a');
    if (there) world.git('branch', 'auth');
  };

  it('is done on its branch, and how to do it again is said', async () => {
    world.write('auth.md', text);
    branchIs(true);
    makeRun('auth', here, { ...here, hash: 'ticked' }, ended(0));
    const { exit, stdout } = await run(['auth.md']);
    expect(exit).toBe(0);
    expect(stdout).toContain('auth.md is done: its run has finished');
    expect(stdout).toContain('branch   auth, which is not checked out here');
    expect(stdout).toContain('again    pawl run --fresh --branch auth-2 auth.md');
  });

  it.each<[string, string, boolean, readonly Fact[]]>([
    ['somebody changed it since', `${text}more\n`, true, [here, ended(0)]],
    ['the branch is gone', text, false, [here, ended(0)]],
    ['the run is not finished', text, true, [here, ended(1, false)]],
    ['a task was taken back', text, true, [here, ended(0), fact('undo-started')]],
  ])('is silent where %s', async (_, now, there, facts) => {
    world.write('auth.md', now);
    branchIs(there);
    makeRun('auth', ...facts);
    const said = await run(['auth.md'], { dryRun: true }).then(({ stdout }) => stdout, String);
    expect(said).not.toContain('is done');
  });
});

it.each<[string, readonly Fact[], readonly string[], RunFlags]>([
  ['a plan that somebody removed', [ended(0)], ['auth.md'], {}],
  ['a fresh start', [archived('auth'), ended(0)], ['auth.md'], { fresh: true }],
  ['another plan beside it', [archived('auth'), ended(0)], ['cache.md', 'auth.md'], {}],
])('is silent about %s', async (_, facts, plans, options) => {
  makeRun('auth', ...facts);
  await expect(run(plans, { ...options, dryRun: true })).rejects.toMatchObject({ exit: 2 });
});

it('says of a plan that stays where it is that it is done, until a task of it is open', async () => {
  world.write('auth.md', '# Plan: P\n\n### Task 1: a\n- [x] b\n');
  makeRun('auth', ended(0));
  expect(await run(['auth.md'])).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('auth.md is done'),
  });
  world.write('auth.md', '# Plan: P\n\n### Task 1: a\n- [ ] b\n');
  await expect(run(['auth.md'], { dryRun: true })).rejects.toMatchObject({ exit: 2 });
});
