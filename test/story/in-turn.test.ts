// Several plans in one command: in turn, each as if it were started alone on the branch that the command began on.
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, type Scene } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const plans = ['a.md', 'b.md', 'c.md'] as const;
const files = Object.fromEntries(['a', 'b', 'c'].map((letter) => [`${letter}.md`, letterPlan(letter)]));
const failing = onTask('b', [write('wrong'), done]);

function makeThree(turns = honest('a', 'b', 'c')) {
  return makeNight({ files, turns, env: { PAWL_TASK_ATTEMPTS: '1', PAWL_TASK_CORRECTIONS: '0' } });
}

const runAll = (scene: Scene, ...args: string[]) => scene.pawl('run', ...plans, '--json', '--trust', ...args);

const commitsOf = ({ repo }: Scene, branch: string) => repo.git('log', '--format=%s', `main..${branch}`);

async function expectAllDone(scene: Scene): Promise<void> {
  for (const letter of ['a', 'b', 'c'])
    expect(await commitsOf(scene, letter), letter).toBe(`Write ${letter}`);
  expect(await scene.repo.git('branch', '--show-current')).toBe('main');
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
}

test('one that fails is the last one; the same command then begins with it, and does the rest', async () => {
  await using scene = await makeThree([...honest('a', 'c'), failing]);
  const first = await expectExit(1, runAll(scene));
  expect(factsOf(first, 'run-ended').map(({ exit }) => exit)).toEqual([0, 1]);
  expect(first.stderr).toContain('c.md');
  await scene.rewrite(honest('a', 'b', 'c'));
  const second = await expectExit(0, runAll(scene));
  expect(factsOf(second, 'run-started').map(({ plan }) => plan)).toEqual(['c.md']);
  await expectAllDone(scene);
});

test('between two plans the tree is as the filters of the repository make it', async () => {
  const more = `git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'
echo '*.up filter=up' > .gitattributes; echo hello > f.up; git add -A; git commit -qm up`;
  const turns = [onTask('a', [{ bash: 'echo more >> f.up' }, write('a'), done]), ...honest('b')];
  await using scene = await makeNight({ files, turns, more });
  await expectExit(0, scene.pawl('run', 'a.md', 'b.md', '--json', '--trust'));
  expect(await scene.repo.read('f.up')).toBe('hello\n');
});

// One that fails: above; grounds of their own: ground.test.ts.
inSoak('--keep-going goes on in trees of their own', async () => {
  await using scene = await makeThree([...honest('a', 'c'), failing]);
  const ended = await expectExit(1, runAll(scene, '--keep-going', '--worktree'));
  expect(factsOf(ended, 'run-ended').map(({ exit }) => exit)).toEqual([0, 1, 0]);
  expect(await commitsOf(scene, 'c')).toBe('Write c');
});

test('what cannot be meant is refused before anything starts, and before anybody is asked to trust it', async () => {
  await using scene = await makeNight({ files: { ...files, 'bad.md': '# Nothing\n' }, turns: [] });
  for (const [args, says] of [
    [['a.md', 'd.md'], /no plan d\.md/],
    [['a.md', 'bad.md'], /bad\.md:1:1.*no tasks/],
    [['a.md', 'b.md', '--task', '1'], /--task works with one plan only/],
  ] as const) {
    const ended = await expectExit(2, scene.pawl('run', ...args));
    expect(ended.stderr).toMatch(says);
  }
  expect(await scene.repo.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(await scene.repo.exists('.git/pawl/runs')).toBe(false);
});
