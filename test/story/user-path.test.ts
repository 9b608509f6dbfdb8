// The essentials of a new user's path with the scripted agent: set up, look, run, Ctrl-C in the middle, look, run again,
// take a task back, run once more. Each step is what the help says, in its order.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, storyOf, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { readRun } from '../helpers/story.ts';

const plan = 'docs/plans/letters.md';
const turns: readonly Turn[] = [
  onTask('a', [write('a'), done]),
  onTask('b', [write('b'), { bash: 'echo started > .git/started; sleep 60' }, done], true),
  onTask('b', [write('b'), done]),
  onTask('c', [write('c'), done]),
];

const makePath = () =>
  makeNight({
    turns,
    plan: undefined as never,
    files: { 'package.json': '{ "scripts": { "test": "test -f package.json" } }\n' },
    env: { PAWL_ARCHIVE: 'true', PAWL_BASELINE: 'warn' },
  });

test('init → doctor → lint → dry run → run → Ctrl-C → status → run → undo → run', async () => {
  await using scene = await makePath();
  const { repo, pawl } = scene;

  const init = await pawl('init', '--yes');
  expect(init, tell(init)).toMatchObject({ exit: 0 });
  expect(await repo.read('.pawl/config.yaml')).toContain('- npm test');
  expect(await repo.exists('docs/plans/first-plan.md')).toBe(true);
  await expectExit(0, pawl('doctor'));
  expect((await pawl('lint', 'docs/plans/first-plan.md')).exit).toBe(0);

  await writeFile(path.join(repo.path, plan), letterPlan('a', 'b', 'c'));
  await repo.git('rm', '-q', '--cached', '--ignore-unmatch', 'docs/plans/first-plan.md');
  const before = await repo.git('status', '--porcelain', '--branch');
  const dry = await pawl('run', plan, '--dry-run');
  expect(dry, tell(dry)).toMatchObject({ exit: 0 });
  expect(dry.stdout).toMatch(/Branch: letters \(new\)[\s\S]*3 of 3 tasks would be worked on/);
  const less = await pawl('run', plan, '--dry-run', '--from', '2', '--max-tasks', '1');
  expect(less.stdout).toMatch(/left {2}Task 1[\s\S]*open {2}Task 2[\s\S]*left {2}Task 3[\s\S]*1 of 3 tasks/);
  expect(await repo.git('status', '--porcelain', '--branch')).toBe(before);

  const untrusted = await pawl('run', plan);
  expect(untrusted).toMatchObject({ exit: 2, stdout: '' });
  expect(untrusted.stderr).toMatch(/not trusted yet[\s\S]*\.pawl\/config\.yaml:\d+ .*npm test[\s\S]*--trust/);

  const running = scene.start('run', plan, '--trust');
  await untilFile(scene, '.git/started');
  running.child.kill('SIGINT');
  const stopped = await expectExit(130, running.ended);
  expect(stopped.stdout).toMatch(/Stopping: [\s\S]*Run stopped: interrupted \(exit 130\)/);
  expect(stopped.stdout).toMatch(/Next\n.*pawl run docs\/plans\/letters\.md/);
  await expectNoProcess(scene);
  expect(await repo.read('b.txt')).toBe('b\n');
  expect((await repo.log()).slice(0, 2)).toEqual(['Write a', 'plan: letters.md']);

  const status = await pawl('status');
  expect(status).toMatchObject({ exit: 0, stderr: '' });
  expect(status.stdout).toMatch(
    /not finished: interrupted[\s\S]*task +2: Write b[\s\S]*1 of 3 proven, 1 not finished, 1 open[\s\S]*pawl run/,
  );
  expect(JSON.parse((await pawl('status', '--json')).stdout)).toMatchObject({ state: 'stopped', exit: 130 });

  await repo.git('switch', '-q', 'main');
  const goesOn = `git switch letters && pawl run ${plan}`;
  expect((await pawl('status')).stdout).toContain(goesOn);
  const elsewhere = await expectExit(2, pawl('run', plan));
  expect(elsewhere.stderr).toContain('is not here, but on branch letters');
  expect(elsewhere.stderr).toContain(goesOn);
  await repo.git('switch', '-q', 'letters');
  // Half a work that nobody wants is taken away, as `git stash` does.
  await rm(path.join(repo.path, 'b.txt'));

  const again = await expectExit(0, pawl('run'));
  // What the stopped session left is the task's, and is committed: it must not be called the user's.
  expect(again.stderr).not.toContain('b.txt');
  expect(again.stdout).toMatch(
    /Continuing where the run stopped[\s\S]*Attempt 2, because the last one ended: interrupted/,
  );
  expect(again.stdout).toMatch(/✓ Task 2 closed, proven: .*\(1 file, \+1 −0, commit \w+\)/);
  expect((await repo.log()).slice(0, 4)).toEqual([
    'plan: archive letters.md',
    'Write c',
    'Write b',
    'Write a',
  ]);
  expect(await readRun(scene)).toMatch(/3 of 3 tasks proven/);

  const undo = await pawl('undo', '3');
  expect(undo, tell(undo)).toMatchObject({ exit: 0, stderr: '' });
  expect(undo.stdout).toMatch(
    /^Task 3 is open again; 2 commits taken back:[\s\S]*Next: pawl run docs\/plans\/letters\.md\n$/,
  );
  expect((await pawl('status')).stdout).toMatch(
    /not finished\n.*task 3 was taken back[\s\S]*2 of 3 proven, 1 open/,
  );

  const last = await expectExit(0, pawl('run', '--json'));
  expect(storyOf(last)).toEqual(['done', '3 proven']);
  expect(factsOf(last, 'run-ended')).toMatchObject([{ exit: 0, finished: true }]);
  const past = await pawl('run', plan, '--json');
  expect(past, tell(past)).toMatchObject({ exit: 0, events: factsOf(last, 'run-ended') });
  expect(await repo.git('status', '--porcelain')).toBe('?? .pawl/\n?? docs/plans/first-plan.md');
  expect(await repo.git('rev-parse', 'main')).toBe(await repo.git('rev-parse', 'letters~5'));
  await expectNoProcess(scene);
});
