// Where a plan may lie and who may change it while a run is on: outside the repository, ignored, untracked, behind a link;
// edited over the head of a session.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask } from '../helpers/letters.ts';
import { killAt, makeNight, type Night, startTo, storyOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const plan = letterPlan('a', 'b');
const ticked = plan.replaceAll('- [ ]', '- [x]');

function runOf(scene: Night, file: string, ...args: readonly string[]): Promise<Ended> {
  return scene.pawl('run', file, '--json', '--trust', ...args);
}

const tasksOf = (ended: Ended) => factsOf(ended, 'session-started').map(({ task }) => task);

test.each(share(['outside the repository', 'ignored by git'], 2))(
  'a plan %s is ticked in place after the commit; the journal is the truth',
  async (name) => {
    await using scene = await makeNight({
      plan,
      files: { '.gitignore': 'private\n' },
      env: killAt('journal task-closed#2'),
    });
    using outside = makeTempFolder();
    const folder = name.startsWith('outside') ? outside.path : path.join(scene.repo.path, 'private');
    const file = path.join(folder, 'letters.md');
    await scene.repo.write(path.relative(scene.repo.path, file), plan);
    const stopped = await expectExit(0, runOf(scene, file, '--max-tasks', '1'));
    expect(factsOf(stopped, 'run-started')).toMatchObject([{ planPlace: 'outside' }]);
    expect((await readFile(file, 'utf8')).match(/- \[.\]/g)).toEqual(['- [x]', '- [ ]']);
    Object.assign(scene.env, killAt('journal task-closed#1'));
    const killed = await expectExit('SIGKILL', runOf(scene, file));
    expect(tasksOf(killed)).toEqual(['2']);
    delete scene.env['KILL_PAWL_AT'];
    const again = await expectExit(0, runOf(scene, file));
    expect(tasksOf(again)).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(ticked);
    expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
    expect(await scene.repo.git('ls-files')).not.toContain('letters.md');
  },
);

const withThird = letterPlan('a', 'b', 'c');

test('an edit over the head of a session is set aside and named', async () => {
  const waits = { bash: 'echo b > b.txt; until [ -e .git/go ]; do sleep 0.05; done' };
  await using scene = await makeNight({ plan, turns: [...honest('a'), onTask('b', [waits, done])] });
  const { repo } = scene;
  const running = await startTo(scene, 'b.txt');
  await repo.write('docs/plans/plan.md', withThird);
  await repo.write('.git/go', '');
  const ended = await expectExit(0, running.ended);
  expect(factsOf(ended, 'plan-edit-set-aside')).toMatchObject([{ number: 1, file: 'plan-001.proposed.md' }]);
  expect(await repo.read('docs/plans/plan.md')).toBe(ticked);
  expect(await readRun(scene, 'plan-001.proposed.md')).toBe(withThird);
});

test.each(share(['1', '2'], 1))(
  'a task that a person adds after a kill, in a plan of no commit, is done with %s at once',
  async (jobs) => {
    const free = (...letters: string[]) =>
      letterPlan(...letters).replaceAll('- check', '- depends: none\n- check');
    await using scene = await makeNight({ env: { ...killAt('journal task-closed#1'), PAWL_JOBS: jobs } });
    using outside = makeTempFolder();
    const file = path.join(outside.path, 'letters.md');
    await writeFile(file, free('a', 'b'));
    await expectExit('SIGKILL', runOf(scene, file));
    await writeFile(file, free('a', 'b', 'c'));
    delete scene.env['KILL_PAWL_AT'];
    await expectExit(0, runOf(scene, file));
    expect(await readFile(file, 'utf8')).toBe(free('a', 'b', 'c').replaceAll('[ ]', '[x]'));
    const log = (await scene.repo.git('log', '--format=%s', 'letters')).split('\n');
    expect(log.toSorted()).toEqual(['Write a', 'Write b', 'Write c', 'start']);
  },
);

test('a check that a person puts in the place of a red one proves nothing, whatever its number', async () => {
  const failed = { say: 'No.\n\n{{marker TASK_FAILED it is too hard}}' };
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [
      onTask('a', [{ bash: 'echo > b.txt' }, done], true),
      onTask('a', [{ bash: 'echo > c.txt' }, failed]),
    ],
    env: { PAWL_TASK_ATTEMPTS: '1' },
  });
  await expectExit(1, scene.run());
  const text = await scene.repo.read('docs/plans/plan.md');
  await scene.repo.write('docs/plans/plan.md', text.replace('grep -qx a a.txt', 'test -e README.md'));
  const again = await expectExit(1, scene.run());
  expect(storyOf(again)).toEqual(['failed', '1 fail counts']);
});

inSoak('what a person wrote into the plan stays when a later task is taken back', async () => {
  await using scene = await makeNight({ plan: withThird });
  const { repo } = scene;
  await scene.run('--max-tasks', '1');
  const text = await repo.read('docs/plans/plan.md');
  const edited = text.replace('Each letter in its file.', 'Each letter in a file of its own.');
  await repo.write('docs/plans/plan.md', edited);
  const run = await expectExit(0, scene.run('--max-tasks', '1'));
  expect(storyOf(run)).toEqual(['done', '2 proven']);
  await expectExit(0, scene.pawl('undo', '2'));
  expect(await repo.read('docs/plans/plan.md')).toBe(edited);
  const again = await expectExit(0, scene.run());
  expect(storyOf(again)).toEqual(['done', '2 proven', 'done', '3 proven']);
});

inSoak(
  'what stands on a task is named, goes with it by --with-later, and can be had back by the command told',
  async () => {
    await using scene = await makeNight();
    const { repo } = scene;
    await expectExit(0, scene.run());
    await repo.git('commit', '-q', '--allow-empty', '-m', 'mine');
    const head = await repo.git('rev-parse', 'HEAD');
    await repo.git('switch', '-q', 'main');
    expect((await expectExit(2, scene.pawl('undo', '1'))).stderr).toContain('git switch plan');
    await repo.git('switch', '-q', 'plan');
    const refused = await expectExit(2, scene.pawl('undo', '1'));
    expect(refused.stderr).toMatch(/mine \(not pawl’s\)\n.*Write b \(task 2\)[\s\S]*--with-later/);
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
    const { stdout } = await expectExit(0, scene.pawl('undo', '1', '--with-later'));
    expect(await repo.log()).toEqual(['start']);
    await repo.git('merge', '-q', '--ff-only', /git merge --ff-only (\S+)/.exec(stdout)?.[1] ?? '');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  },
);
