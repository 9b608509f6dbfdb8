// What `pawl diff` and the page show of work that is not committed: new files, too, but none that were there before the run.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { listRuns } from '../../src/journal/folder.ts';
import { findPlaceAt } from '../../src/start/locate.ts';
import { listOutside, readDiff } from '../../src/start/read-diff.ts';
import { makeWorld } from '../cli/world.ts';
import { fact, stampAll } from '../helpers/facts.ts';
import { makeRepo, type Repo } from '../helpers/temp-repo.ts';
import { writeRun } from '../helpers/write-run.ts';

/** The names that the difference of a run has, whose journal is these facts. */
async function namesIn(
  repo: Repo,
  facts: (base: string) => readonly Fact[] | Promise<readonly Fact[]>,
  task?: string,
  look: readonly string[] = ['--name-only'],
): Promise<readonly string[]> {
  using world = makeWorld();
  const place = findPlaceAt(repo.path);
  if (!place) throw new Error('no repository');
  const [base, branch] = [await repo.git('rev-parse', 'HEAD'), await repo.git('branch', '--show-current')];
  writeRun(place.commonDir, { base, branch, untracked: ['mine.txt', 'odd [1].txt'] }, ...(await facts(base)));
  const [found] = listRuns(place.commonDir);
  if (!found) throw new Error('no run');
  const shown = await readDiff(world.context(), { place, run: found, task, ...(look[0] ? { look } : {}) });
  return shown.trim().split('\n');
}

test('new files are shown, a person’s own are not, and the index stays as it is', async () => {
  await using repo = await makeRepo({ files: { 'kept.txt': 'k\n' } });
  for (const file of ['mine.txt', 'odd [1].txt', 'new.txt', 'kept.txt']) await repo.write(file, `${file}\n`);
  expect(await namesIn(repo, () => [])).toEqual(['kept.txt', 'new.txt']);
  expect(await repo.git('ls-files')).toBe('README.md\nkept.txt');
});

test('it has one form for whoever reads it, whatever is set for `git diff`', async () => {
  await using repo = await makeRepo({ files: { 'kept.txt': 'k\n' } });
  await repo.git('config', 'diff.noprefix', 'true');
  await repo.git('config', 'color.ui', 'always');
  await repo.write('kept.txt', 'n\n');
  expect(await namesIn(repo, () => [], undefined, [])).toContain('diff --git a/kept.txt b/kept.txt');
});

test('no program runs by the settings of a submodule that a session has put there', async () => {
  await using repo = await makeRepo({ files: { 'sub/v': '1\n' } });
  const lib = path.join(repo.path, 'sub');
  const git = (...words: string[]) => repo.git('-C', lib, ...words);
  await git('init', '-q');
  await git('add', 'v');
  await git('-c', 'user.name=X', '-c', 'user.email=x@example.invalid', 'commit', '-qm', 'lib');
  await repo.git('rm', '-q', '-r', '--cached', 'sub');
  await repo.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = x\n\tignore = none\n');
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'sub');
  await git('config', 'filter.x.clean', 'touch ran; cat');
  await repo.write('sub/.git/info/attributes', 'v filter=x\n');
  await repo.write('sub/v', '2\n');
  expect(await namesIn(repo, () => [])).toEqual(['']);
  expect(existsSync(path.join(lib, 'ran'))).toBe(false);
});

test.each([
  ['a tag of its name', ['tag', 'main']],
  ['no branch any more: merged and deleted', ['branch', '-q', '-D', 'main']],
])('from another branch, where there is %s, the commits are shown', async (_, words) => {
  await using repo = await makeRepo({ files: { 'kept.txt': 'k\n' } });
  const leave = async (): Promise<readonly Fact[]> => {
    await repo.git('switch', '-q', '-c', 'other');
    await repo.git('switch', '-q', 'main');
    await repo.write('new.txt', 'n\n');
    await repo.commit('new');
    const head = await repo.git('rev-parse', 'HEAD');
    await repo.git('switch', '-q', 'other');
    await repo.git(...words);
    return [fact('run-ended', { head })];
  };
  expect(await namesIn(repo, leave)).toEqual(['new.txt']);
});

test('a task that is worked on in a lane has the difference of the lane', async () => {
  await using repo = await makeRepo({ files: { 'kept.txt': 'k\n' } });
  await using lane = await makeRepo({});
  await lane.git('fetch', '-q', repo.path, 'HEAD');
  await lane.git('reset', '-q', '--hard', 'FETCH_HEAD');
  for (const file of ['kept.txt', 'new.txt', 'made.txt']) await lane.write(file, `${file}\n`);
  await repo.write('elsewhere.txt', 'x\n');
  const names = await namesIn(
    repo,
    (commit) => [
      fact('plan-read'),
      fact('lane-opened', { lane: 1, folder: lane.path }),
      ...[fact('task-started', { commit }), fact('attempt-started'), fact('session-started')].map((each) => ({
        ...each,
        lane: 1,
      })),
    ],
    '2',
  );
  expect(names).toEqual(['kept.txt', 'made.txt', 'new.txt']);
});

test.each<[files: readonly string[] | undefined, outside: readonly string[]]>([
  [undefined, []],
  [['src/*.ts'], ['b.txt', 'src/deep/c.ts']],
  [['src/'], ['b.txt']],
])('of a task that names %j, these are outside', (files, outside) => {
  const tasks = [
    { id: '2', title: '', closed: false, steps: 1, manual: [], ...(files ? { files: [...files] } : {}) },
  ];
  const state = foldRun(stampAll([fact('run-started'), fact('plan-read', { tasks })]));
  const plan = state?.started.plan ?? '';
  expect(listOutside(state, '2', ['src/a.ts', 'b.txt', 'src/deep/c.ts', plan])).toEqual(outside);
});
