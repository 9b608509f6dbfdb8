// What a person does to the run's branch and to its index while tasks are worked on in lanes: the run stops before it builds on
// that, and the same command goes on from there.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { factsOf, makeScene, type Scene } from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';

const plan = letterPlan('a', 'b', 'c').replaceAll('- check', '- depends: none\n- check');

async function makeThree(): Promise<Scene> {
  return makeScene({
    plan,
    turns: [
      onTask('a', [write('a'), done]),
      onTask('b', [{ think: 4_000 }, write('b'), done]),
      onTask('c', [{ think: 4_000 }, write('c'), done]),
    ],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
}

test.each([
  ['amends what landed', ['commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z'], ['2', '3']],
  ['takes back what landed', ['reset', '-q', '--hard', 'HEAD~1'], ['1', '2', '3']],
] as const)('a person %s while others are worked on', async (_, act, left) => {
  await using scene = await makeThree();
  const running = scene.startRun('--jobs', '3');
  await running.until('task-closed');
  await scene.repo.git(...act);
  const stopped = await running.ended;
  expect(
    factsOf(stopped, 'task-closed').map(({ task }) => task),
    stopped.stderr,
  ).toEqual(['1']);
  expect(factsOf(stopped, 'run-ended')).toMatchObject([{ reasons: [{ code: 'history' }] }]);
  const ended = await scene.run('--jobs', '3');
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(
    factsOf(ended, 'task-closed')
      .map(({ task }) => task)
      .sort(),
  ).toEqual(left);
  expect(await redCommits(scene.repo)).toEqual([]);
});

test('a person whose git holds the index keeps the files from following, and nothing is taken for their doing', async () => {
  await using scene = await makeThree();
  const running = scene.startRun('--jobs', '3');
  await running.until('session-ready');
  await scene.repo.write('.git/index.lock', '');
  const stopped = await running.ended;
  expect(
    factsOf(stopped, 'task-closed')
      .map(({ task }) => task)
      .sort(),
    stopped.stderr,
  ).toEqual(['1', '2', '3']);
  const text = expect.stringContaining('index.lock');
  expect(factsOf(stopped, 'run-ended')).toMatchObject([{ exit: 8, reasons: [{ code: 'git', text }] }]);
  await rm(path.join(scene.repo.path, '.git/index.lock'));
  const ended = await scene.run('--jobs', '3');
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  for (const life of [stopped, ended]) {
    expect(factsOf(life, 'intervention').filter(({ kind }) => kind !== 'rerun')).toEqual([]);
    expect(factsOf(life, 'task-reopened')).toEqual([]);
  }
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
});
