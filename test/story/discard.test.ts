// `pawl discard` as a user meets it: a run is given up, nothing of its work or of the person's is lost, and the plan starts over.
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { honest, letterPlan, onTask } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { endAt, faultAt, killAt, makeNight, storyOf, untilFile } from '../helpers/night.ts';
import { factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { sitDownTo } from '../helpers/seat.ts';
import { inSoak } from '../helpers/share.ts';

const plan = 'docs/plans/plan.md';
const text = letterPlan('a', 'b');
/** Task 1 is closed, task 2 is cut off in the middle. */
const half = [
  ...honest('a'),
  onTask('b', [{ bash: 'echo half > half.txt; echo half >> README.md; touch at-work; sleep 60' }]),
];

const stop = (scene: Scene) => endAt(scene, 'at-work', 'SIGINT');

test('a run on a branch of its own: all is as it was before it, and what it did can be had back', async () => {
  await using scene = await makeNight({ plan: text, turns: half });
  const { repo } = scene;
  const own = `${text}\nNot committed.\n`;
  await repo.write(plan, own);
  const readme = await repo.read('README.md');
  const running = scene.startRun();
  await untilFile(scene, 'at-work');
  const live = await scene.pawl('discard', '--yes');
  expect(live.exit, tell(live)).toBe(2);
  expect(live.stderr).toMatch(/has been working on run \S+ since [\s\S]*pawl stop docs/);
  running.child.kill('SIGINT');
  await running.ended;
  await repo.write('mine.txt', 'mine\n');

  const asked = await scene.pawl('discard', plan);
  expect(asked.exit, tell(asked)).toBe(2);
  expect(asked.stderr).toMatch(/branch plan is removed[\s\S]*half\.txt[\s\S]*pawl discard --yes/);
  expect(await repo.git('branch', '--show-current')).toBe('plan');
  // Whatever the answer is, what was saved for the question says no more than is so.
  expect((await scene.pawl('rescue')).stdout).toMatch(/as `pawl discard` found it \(plan [^\n]*\)\n/);
  // Killed in the middle, it is named by a start, and the same command does the rest.
  Object.assign(scene.env, killAt('git rewrite files#1+1'));
  const killed = await scene.pawl('discard', plan, '--yes');
  expect(killed.signal, tell(killed)).toBe('SIGKILL');
  for (const name of ['NODE_OPTIONS', 'KILL_PAWL_AT']) delete (scene.env as Record<string, string>)[name];
  const refused = await scene.run();
  expect(refused.exit, tell(refused)).toBe(2);
  expect(refused.stderr + refused.stdout).toContain(`pawl discard ${plan}`);
  const gone = await scene.pawl('discard', plan, '--yes');
  expect(gone, tell(gone)).toMatchObject({ exit: 0, stderr: '' });
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(await repo.git('status', '--porcelain')).toBe(` M ${plan}\n?? mine.txt`);
  expect(await repo.read(plan)).toBe(own);
  expect(await repo.read('README.md')).toBe(readme);
  expect((await scene.pawl('status')).stdout).toMatch(/discarded[\s\S]*pawl run docs\/plans\/plan\.md/);
  expect((await scene.pawl('discard')).stderr).toContain('is discarded already');

  const [, branch = ''] = /git (branch plan \S+)/.exec(gone.stdout) ?? [];
  const [, restore = ''] = /pawl (rescue restore \S+ --run \S+)/.exec(gone.stdout) ?? [];
  await repo.git('stash', '-q');
  await repo.git(...branch.split(' '));
  await repo.git('switch', '-q', 'plan');
  expect(await repo.log()).toEqual(['Write a', 'plan: plan.md', 'start']);
  expect((await scene.pawl(...restore.split(' '))).exit).toBe(0);
  expect([await repo.read('half.txt'), await repo.read('README.md')]).toEqual(['half\n', `${readme}half\n`]);
  await repo.git('clean', '-qf', '--', 'half.txt', 'at-work');
  await repo.git('switch', '-qf', 'main');
  await repo.git('branch', '-qD', 'plan');

  await scene.rewrite(honest('a', 'b'));
  const anew = await scene.run('--max-tasks', '1');
  expect(anew.exit, tell(anew)).toBe(0);
  expect(storyOf(anew)).toEqual(['done', '1 proven']);
});

test('a run on a branch of the person’s: it goes back; commits of the person’s are refused until they are on another branch', async () => {
  await using scene = await makeNight({ plan: text, turns: half });
  const { repo } = scene;
  await repo.git('switch', '-qc', 'work');
  const base = await repo.git('rev-parse', 'HEAD');
  await stop(scene);
  await repo.git('commit', '-q', '--allow-empty', '-m', 'by the person');
  const head = await repo.git('rev-parse', 'HEAD');
  const refused = await scene.pawl('discard', '--yes');
  expect(refused.exit, tell(refused)).toBe(2);
  expect(refused.stderr).toMatch(/by the person[\s\S]*git branch work-mine work/);
  expect(await repo.git('rev-parse', 'work')).toBe(head);
  await repo.git('branch', 'work-mine', 'work');
  await repo.write('.git/MERGE_HEAD', `${head}\n`);
  expect((await scene.pawl('discard', '--yes')).stderr).toMatch(
    /a merge is in progress[\s\S]*git merge --abort/,
  );
  await repo.git('merge', '--quit');
  const other = path.join(scene.home, 'other');
  await repo.git('switch', '-q', '--discard-changes', 'main');
  await repo.git('worktree', 'add', '-q', other, 'work');
  expect((await scene.pawl('discard', '--yes')).stderr).toContain(`work is checked out in ${other}`);
  expect(await repo.git('rev-parse', 'work')).toBe(head);
  await repo.git('worktree', 'remove', '--force', other);
  await repo.git('switch', '-q', 'work');
  if (has('terminals (script)')) {
    using seat = await sitDownTo(scene, 'discard');
    await expect.poll(seat.screen, { timeout: 60_000 }).toContain('Discard it?');
    await repo.write('while-asked.txt', 'mine\n');
    seat.type('y');
    expect((await seat.ended).exit, seat.screen()).toBe(2);
    expect(seat.screen()).toContain('has changed since the question');
    expect(await repo.read('while-asked.txt')).toBe('mine\n');
    await repo.git('clean', '-qf', '--', 'while-asked.txt');
  }
  const gone = await scene.pawl('discard', '--yes');
  expect(gone.exit, tell(gone)).toBe(0);
  expect(await repo.git('rev-parse', 'HEAD')).toBe(base);
  expect(await repo.git('branch', '--show-current')).toBe('work');
  expect(await repo.git('status', '--porcelain')).toBe('');
  const [, merge = ''] = /git (merge --ff-only \S+)/.exec(gone.stdout) ?? [];
  await repo.git(...merge.split(' '));
  expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
});

test('a tree of the run’s own stays while something of it cannot be saved, and what is saved is what it holds at last, also what git ignored there', async () => {
  const wait = onTask('a', [{ bash: 'mkdir out; echo r > out/result; touch "$HOME/at-work"; sleep 60' }]);
  await using scene = await makeNight({ plan: text, files: { '.gitignore': 'out/\n' }, turns: [wait] });
  const { repo, env } = scene;
  // Its state is reached through a link.
  await mkdir(path.join(scene.home, 'disk'));
  await symlink('disk', path.join(scene.home, 'linked'));
  Object.assign(env, { XDG_STATE_HOME: path.join(scene.home, 'linked') });
  const running = scene.startRun('--worktree');
  const { run, worktree } = await running.until('run-started');
  const tree = worktree?.path ?? '';
  await expect.poll(() => existsSync(path.join(scene.home, 'at-work')), { timeout: 60_000 }).toBe(true);
  running.child.kill('SIGINT');
  await running.ended;
  const git = (...args: string[]) => repo.git('-C', tree, ...args);
  const own = await git('rev-parse', '--absolute-git-dir');
  const staysFor = async (why: string) => {
    const refused = await scene.pawl('discard', '--yes');
    expect(refused.exit, tell(refused)).toBe(2);
    expect(refused.stderr).toContain(why);
    expect(await readFile(path.join(tree, 'mine.txt'), 'utf8')).toBe('mine\n');
  };
  await writeFile(path.join(tree, 'mine.txt'), 'mine\n');
  await appendFile(path.join(tree, 'README.md'), 'by hand\n');
  await git('switch', '-qc', 'aside');
  await git('commit', '-q', '--allow-empty', '-m', 'on another branch');
  await git('switch', '-q', '-');
  await writeFile(path.join(own, 'MERGE_HEAD'), `${await git('rev-parse', 'HEAD')}\n`);
  await staysFor('a merge is in progress in it');
  await git('merge', '--quit');
  await writeFile(path.join(tree, 'large.bin'), '');
  await truncate(path.join(tree, 'large.bin'), 101 * 1024 * 1024);
  await staysFor('large.bin (101.0 MB, too big to copy)');
  await rm(path.join(tree, 'large.bin'));
  await rename(own, `${own}-moved`);
  await staysFor(`${tree}, where the run worked, is no longer a ground of it`);
  await rename(`${own}-moved`, own);

  const persons = path.join(scene.home, 'persons');
  await repo.git('worktree', 'add', '-q', '--detach', persons);
  await rm(persons, { recursive: true });
  Object.assign(env, faultAt('journal discard-started#1', `echo late > '${tree}/late.txt'`));
  const gone = await scene.pawl('discard', '--yes');
  expect(gone.exit, tell(gone)).toBe(0);
  expect(existsSync(tree)).toBe(false);
  expect(await repo.git('worktree', 'list')).toContain(persons);
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(await repo.git('log', '-1', '--format=%s', `refs/pawl/${run}/left/heads/aside`)).toBe(
    'on another branch',
  );
  const [, restore = ''] = /pawl (rescue restore \S+ --run \S+)/.exec(gone.stderr) ?? [];
  expect((await scene.pawl(...restore.split(' '))).exit).toBe(0);
  expect([await repo.read('mine.txt'), await repo.read('late.txt')]).toEqual(['mine\n', 'late\n']);
  expect(await repo.read('out/result')).toBe('r\n');
  expect(await repo.read('README.md')).toContain('by hand\n');
});

test('a finished run, with an ignored plan: its boxes are open again', async () => {
  await using scene = await makeNight({
    files: { '.gitignore': 'own.md\n' },
    turns: honest('a'),
    env: { PAWL_ARCHIVE: 'true' },
  });
  const { repo } = scene;
  const one = letterPlan('a');
  await repo.write('own.md', one);
  const run = await scene.pawl('run', 'own.md', '--json', '--trust');
  expect(run.exit, tell(run)).toBe(0);
  const gone = await scene.pawl('discard', '--yes');
  expect(gone.exit, tell(gone)).toBe(0);
  expect(await repo.read('own.md')).toBe(one);
  expect(await repo.exists('completed/own.md')).toBe(false);
  expect(await repo.log()).toEqual(['start']);
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('main');
});

inSoak.each([
  'git rewrite files#1+1',
  'journal discard-started#1+1',
  'git HEAD back#1+1',
  'git drop branch plan#1+1',
])('killed at %s, the same command does the rest; a start before that names it', async (at) => {
  await using scene = await makeNight({ plan: undefined as never, turns: half });
  const { repo, env } = scene;
  // Its folder has nothing else in it, and goes with it.
  await repo.write(plan, text);
  await stop(scene);
  Object.assign(env, killAt(at));
  const killed = await scene.pawl('discard', '--yes');
  expect(killed.signal, tell(killed)).toBe('SIGKILL');
  for (const name of ['NODE_OPTIONS', 'KILL_PAWL_AT']) delete (env as Record<string, string>)[name];
  const refused = await scene.run();
  expect(refused.exit, tell(refused)).toBe(2);
  expect(refused.stderr + refused.stdout).toContain(`pawl discard ${plan}`);
  const gone = await scene.pawl('discard', '--yes');
  expect(gone.exit, tell(gone)).toBe(0);
  expect(await repo.git('status', '--porcelain')).toBe('?? docs/');
  expect(await repo.read(plan)).toBe(text);
  expect(await repo.git('branch', '--format=%(refname:short)')).toBe('main');
  const facts = (await scene.pawl('logs', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(factsOf({ events: facts }, 'run-ended').at(-1)).toMatchObject({
    finished: true,
    reasons: [{ code: 'discarded' }],
  });
  const kept = await repo.git('for-each-ref', '--format=%(refname)', 'refs/pawl/*/discarded');
  expect(await repo.git('log', '--format=%s', kept, '--')).toBe('Write a\nplan: plan.md\nstart');
});
