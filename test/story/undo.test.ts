import path from 'node:path';
import { expect } from 'vitest';
import { honest, letterPlan } from '../helpers/letters.ts';
import { makeNight, storyOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const plan = 'docs/plans/plan.md';
const abc = { plan: letterPlan('a', 'b', 'c'), turns: honest('a', 'b', 'c') };

/** Boxes of the plan's tasks in order. */
async function boxes({ repo }: Scene, file = plan): Promise<string> {
  return [...(await repo.read(file)).matchAll(/- \[(.)\]/g)].map((match) => match[1]).join('');
}

async function journalOf(scene: Scene): Promise<Pick<Ended, 'events'>> {
  const text = await scene.repo.git('rev-parse', '--git-common-dir');
  const { readdir, readFile } = await import('node:fs/promises');
  const runs = path.join(scene.repo.path, text, 'pawl', 'runs');
  const [run = ''] = (await readdir(runs)).sort().reverse();
  const lines = (await readFile(path.join(runs, run, 'journal.ndjson'), 'utf8')).trimEnd().split('\n');
  return { events: lines.map((line) => JSON.parse(line)) };
}

inSoak(
  'a run that is stopped, then finished: tasks go back by the branch or by a commit, run does them again; all can be had back',
  async () => {
    await using scene = await makeNight({ ...abc, env: { PAWL_ARCHIVE: 'true' } });
    const { repo } = scene;
    expect((await scene.run('--max-tasks', '2')).exit).toBe(0);
    await expectExit(0, scene.pawl('undo', '1', '--with-later'));
    await repo.write('stray.txt', 'from a person\n');
    const stray = await scene.run();
    expect(stray.events.at(-1), tell(stray)).toMatchObject({ type: 'run-ended', exit: 2 });
    await repo.git('clean', '-q', '-f', 'stray.txt');
    const whole = await scene.run();
    const checked = ['1', '2', '3'].flatMap((task) => ['done', `${task} proven`]);
    expect(storyOf(whole), tell(whole)).toEqual(checked);

    const before = await repo.git('rev-parse', 'HEAD');
    await repo.write('mine.txt', 'mine\n');
    const undone = await scene.pawl('undo', '3');
    expect(undone, tell(undone)).toMatchObject({ exit: 0, stderr: '' });
    expect(await repo.log()).toEqual(['Write b', 'Write a', 'start']);
    expect(await repo.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(await boxes(scene)).toBe('xx ');
    const kept = /refs\/pawl\/\S+\/undone\/\d+/.exec(undone.stdout)?.[0] ?? '';
    expect(await repo.git('rev-parse', kept)).toBe(before);
    const facts = await journalOf(scene);
    expect(factsOf(facts, 'task-reopened').at(-1)).toMatchObject({ task: '3', by: 'undo' });
    expect(factsOf(facts, 'intervention').at(-1)).toMatchObject({
      kind: 'undo',
      text: 'task 3 was taken back',
    });
    expect((await scene.pawl('status')).stdout).toMatch(/not finished[\s\S]*3: 2 proven, 1 open/);
    const again = await scene.run();
    expect(again, tell(again)).toMatchObject({ exit: 0 });
    expect(storyOf(again)).toEqual(['done', '3 proven']);
    expect(await repo.log()).toEqual(['plan: archive plan.md', 'Write c', 'Write b', 'Write a', 'start']);
    expect(await repo.read('mine.txt')).toBe('mine\n');
    // One run, below the columns' names.
    expect((await scene.pawl('status', '--all')).stdout.trim().split('\n')).toHaveLength(2);

    // On another branch it says where the run works.
    await repo.git('switch', '-q', 'main');
    const refused = await scene.pawl('undo', '3');
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining('git switch plan') });
    await repo.git('switch', '-q', 'plan');
    const last = await repo.git('rev-parse', 'HEAD');
    const { stdout } = await scene.pawl('undo', '1', '--with-later');
    expect(await repo.log()).toEqual(['start']);
    await repo.git('merge', '-q', '--ff-only', /git merge --ff-only (\S+)/.exec(stdout)?.[1] ?? '');
    expect(await repo.git('rev-parse', 'HEAD')).toBe(last);
  },
);

inSoak('an earlier task names what stands on it; --with-later takes all of it back', async () => {
  await using scene = await makeNight(abc);
  const { repo } = scene;
  await scene.run();
  await repo.git('commit', '-q', '--allow-empty', '-m', 'mine');
  const head = await repo.git('rev-parse', 'HEAD');
  const refused = await expectExit(2, scene.pawl('undo', '2'));
  expect(refused.stderr).toMatch(/mine \(not pawl’s\)\n.*Write c \(task 3\)[\s\S]*--with-later/);
  expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  const undone = await scene.pawl('undo', '2', '--with-later');
  expect(undone, tell(undone)).toMatchObject({ exit: 0 });
  expect(await repo.log()).toEqual(['Write a', 'start']);
  expect(await boxes(scene)).toBe('x  ');
  expect(factsOf(await journalOf(scene), 'task-reopened').map(({ task }) => task)).toEqual(['2', '3']);
  const again = await scene.run();
  expect(storyOf(again), tell(again)).toEqual(['done', '2 proven', 'done', '3 proven']);
});

inSoak('what a person wrote into the plan since stays', async () => {
  await using scene = await makeNight(abc);
  const { repo } = scene;
  await scene.run('--max-tasks', '1');
  const edited = (await repo.read(plan)).replace(
    'Each letter in its file.',
    'Each letter in a file of its own.',
  );
  await repo.write(plan, edited);
  const run = await scene.run('--max-tasks', '1');
  expect(storyOf(run), tell(run)).toEqual(['done', '2 proven']);
  expect((await scene.pawl('undo', '2')).exit).toBe(0);
  expect(await repo.read(plan)).toBe(edited);
  const again = await scene.run();
  expect(storyOf(again), tell(again)).toEqual(['done', '2 proven', 'done', '3 proven']);
});
