// Several plans in one command: each on a branch of its own from where the command began, one that fails stops no other,
// and the same command goes on after any end.
import { describe, expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { killAt, makeNight } from '../helpers/night.ts';
import { factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const plans = ['a.md', 'b.md', 'c.md'] as const;
const files = Object.fromEntries(['a', 'b', 'c'].map((letter) => [`${letter}.md`, letterPlan(letter)]));
const failing = onTask('b', [write('wrong'), { bash: 'echo half > b.txt' }, done]);
const mending = [
  ...honest('a', 'c'),
  onTask('b', [{ bash: 'sleep 2; grep -qx half b.txt && echo b > b.txt' }, done]),
];

function makeQueue(env: Readonly<Record<string, string>> = {}, turns = honest('a', 'b', 'c')) {
  return makeNight({ files, turns, env: { PAWL_TASK_ATTEMPTS: '1', ...env } });
}

const runAll = (scene: Scene, ...args: string[]) => scene.pawl('run', ...plans, '--json', '--trust', ...args);

/** Subjects of the commits of a branch beyond main. */
async function commitsOf({ repo }: Scene, branch: string): Promise<string> {
  return repo.git('log', '--format=%s', `main..${branch}`);
}

async function expectAllDone(scene: Scene): Promise<void> {
  for (const letter of ['a', 'b', 'c'])
    expect(await commitsOf(scene, letter), letter).toBe(`Write ${letter}`);
  expect(await scene.repo.git('branch', '--show-current')).toBe('main');
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
}

async function expectKilled(scene: Scene): Promise<void> {
  const killed = await runAll(scene);
  expect(killed.signal, tell(killed)).toBe('SIGKILL');
  delete (scene.env as Record<string, string>)['NODE_OPTIONS'];
}

describe('a queue', () => {
  inSoak('runs each plan on its own branch from where it began, and then stands there again', async () => {
    await using scene = await makeQueue();
    await scene.repo.git('switch', '-qc', 'feature');
    const ended = await scene.pawl('run', ...plans, '--trust');
    expect(ended.exit, tell(ended)).toBe(0);
    for (const letter of ['a', 'b', 'c'])
      expect(await scene.repo.git('log', '--format=%s', `feature..${letter}`)).toBe(`Write ${letter}`);
    expect(await scene.repo.git('branch', '--show-current')).toBe('feature');
    expect(ended.stdout.replaceAll(/^\d.*\n/gm, '')).toContain(
      'Queue: 3 of 3 plans finished\n  a.md  done, branch a\n',
    );
  });

  test('goes on after a plan that fails, whose work the same command brings back and mends', async () => {
    await using scene = await makeQueue({}, [...honest('a', 'c'), failing]);
    const first = await runAll(scene);
    expect(first.exit, tell(first)).toBe(1);
    expect(factsOf(first, 'run-ended').map(({ exit }) => exit)).toEqual([0, 1, 0]);
    const status = await scene.pawl('status');
    expect(status.stdout).toMatch(
      /queue +a\.md: finished\n +b\.md: stopped\n +c\.md: finished \(this one\)\n/,
    );
    const [aside] = factsOf(first, 'work-set-aside');
    expect(await scene.repo.git('show', `${aside?.rescue}:b.txt`)).toBe('half');
    expect(await scene.repo.git('branch', '--show-current')).toBe('main');
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
    await scene.rewrite(mending);
    const running = scene.start('run', ...plans, '--json', '--trust');
    await running.until('session-started');
    expect((await scene.pawl('status')).stdout).toMatch(
      /queue +a\.md: finished\n +b\.md: working \(this one\)/,
    );
    const second = await running.ended;
    expect(second.exit, tell(second)).toBe(0);
    expect(factsOf(second, 'run-started')).toEqual([]);
    expect(factsOf(second, 'work-brought-back')).toMatchObject([{ rescue: aside?.rescue, left: [] }]);
    await expectAllDone(scene);
  });

  inSoak('--stop-on-failure begins no other plan', async () => {
    await using scene = await makeQueue({}, [...honest('a', 'c'), failing]);
    const ended = await scene.pawl('run', ...plans, '--trust', '--stop-on-failure');
    expect(ended.exit, tell(ended)).toBe(1);
    expect(ended.stdout).toMatch(
      / b\.md {2}not finished: a task failed \(exit 1\), branch b\n {2}c\.md {2}not started/,
    );
  });

  inSoak('of untracked plans: what is committed on one branch does not get lost for the others', async () => {
    await using scene = await makeNight({ turns: honest('a', 'b', 'c') });
    for (const [file, text] of Object.entries(files)) await scene.repo.write(file, text);
    const ended = await runAll(scene);
    expect(ended.exit, tell(ended)).toBe(0);
    expect(await commitsOf(scene, 'b')).toBe('Write b\nplan: b.md');
    const again = await runAll(scene);
    expect(again.exit, tell(again)).toBe(2);
  });

  inSoak.each([
    'journal run-ended#1+1',
    'git switch to main#1+1',
    'journal queued#2',
    'journal session-started#2',
  ])('killed at %s, the same command does the rest once', async (at) => {
    await using scene = await makeQueue(killAt(at));
    await expectKilled(scene);
    const ended = await runAll(scene);
    expect(ended.exit, tell(ended)).toBe(0);
    await expectAllDone(scene);
  });

  inSoak.each(['journal work-set-aside#1', 'journal work-set-aside#1+1', 'journal run-ended#2'])(
    'killed at %s, the failed plan’s work is there when it is mended',
    async (at) => {
      await using scene = await makeQueue(killAt(at), [...honest('a', 'c'), failing]);
      await expectKilled(scene);
      await scene.rewrite(mending);
      await runAll(scene);
      const ended = await runAll(scene);
      expect(ended.exit, tell(ended)).toBe(0);
      await expectAllDone(scene);
    },
  );
});

test('what cannot be meant is refused before anything starts, and before anybody is asked to trust it', async () => {
  await using scene = await makeNight({ files: { ...files, 'bad.md': '# Nothing\n' }, turns: [] });
  for (const [args, says] of [
    [['a.md', './a.md'], /a\.md is named twice/],
    [['a.md', 'd.md'], /no plan d\.md/],
    [['a.md', 'bad.md'], /bad\.md:1:1.*no tasks/],
    [['a.md', 'b.md', '--task', '1'], /--task works with one plan only/],
  ] as const) {
    const ended = await scene.pawl('run', ...args);
    expect(ended.exit, tell(ended)).toBe(2);
    expect(ended.stderr).toMatch(says);
  }
  expect(await scene.repo.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(await scene.repo.exists('.git/pawl/runs')).toBe(false);
});
