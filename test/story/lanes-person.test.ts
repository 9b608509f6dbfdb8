// What a person does to the run's branch and to its index while tasks are worked on in lanes: the run stops before it builds on
// that, and the same command goes on from there.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, reach, waitFor, waitLanded, write } from '../helpers/letters.ts';
import { expectExit, factsOf, makeScene, type Scene, type SceneOptions } from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const plan = letterPlan('a', 'b', 'c').replaceAll('- check', '- depends: none\n- check');

/** On a branch of the person's, in which nothing but tasks is worked on. */
function makeMine(turns: SceneOptions['turns'], more: Partial<SceneOptions> = {}): Promise<Scene> {
  const env = { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: 'none', PAWL_BRANCH: 'mine' };
  return makeScene({ plan, more: 'git switch -qc mine', turns, env, ...more });
}

inSoak.each([
  ['amends what landed', ['commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z'], ['2', '3']],
  ['takes back what landed', ['reset', '-q', '--hard', 'HEAD~1'], ['1', '2', '3']],
] as const)('a person %s while others are worked on', async (_, act, left) => {
  await using scene = await makeMine([
    onTask('a', [write('a'), done]),
    ...['b', 'c'].map((letter) => onTask(letter, [waitFor('acted'), write(letter), done])),
  ]);
  const running = scene.startRun('--jobs', '3');
  await running.until('task-closed');
  await scene.repo.git(...act);
  await writeFile(path.join(scene.home, 'acted'), '');
  const stopped = await running.ended;
  expect(
    factsOf(stopped, 'task-closed').map(({ task }) => task),
    stopped.stderr,
  ).toEqual(['1']);
  expect(factsOf(stopped, 'run-ended')).toMatchObject([{ reasons: [{ code: 'history' }] }]);
  const ended = await expectExit(0, scene.run('--jobs', '3'));
  expect(
    factsOf(ended, 'task-closed')
      .map(({ task }) => task)
      .sort(),
  ).toEqual(left);
  expect(await redCommits(scene.repo)).toEqual([]);
});

test('a rule of the work itself does not merge it: its session resolves what is in conflict', async () => {
  const both = (letter: string) =>
    ({ bash: `echo ${letter} > ${letter}.txt; sed -i 's/^one$/one of ${letter}/' shared.txt` }) as const;
  await using scene = await makeMine(
    (root) => [
      { when: 'Both sides are meant', steps: [{ bash: 'echo both > shared.txt' }, done] },
      onTask('a', [waitFor('at-b'), both('a'), done]),
      onTask('b', [
        reach('at-b'),
        waitLanded(root, 'a'),
        both('b'),
        { bash: 'echo "*.txt merge=union" > .gitattributes' },
        done,
      ]),
      onTask('c', [write('c'), done]),
    ],
    { files: { 'shared.txt': 'one\n' } },
  );
  const ended = await expectExit(0, scene.run('--jobs', '2'));
  expect(factsOf(ended, 'landing-given-back')).toMatchObject([{ task: '2', files: ['shared.txt'] }]);
  expect(await scene.repo.read('shared.txt')).toBe('both\n');
});

inSoak(
  'a session that removes the git folder of its lane has lost an attempt: its task begins anew, the others go on',
  async () => {
    const breaks = onTask('a', [write('a'), { bash: 'rm -rf .git' }, done], true);
    const turns = [onTask('b', [write('b'), done]), onTask('c', [write('c'), done])];
    await using scene = await makeMine([breaks, onTask('a', [write('a'), done]), ...turns]);
    const ended = await expectExit(0, scene.run('--jobs', '2'));
    expect(factsOf(ended, 'round-ended')).toMatchObject([
      { task: '1', verdict: 'again', counts: true, reason: expect.stringContaining('.git was removed') },
    ]);
    expect(await redCommits(scene.repo)).toEqual([]);
    await using always = await makeMine([breaks, breaks, breaks, ...turns]);
    const failed = await always.run('--jobs', '2', '--set', 'replan=never', '--keep-going');
    expect([failed.exit, factsOf(failed, 'session-started').filter(({ task }) => task === '1')]).toEqual([
      1,
      [expect.anything(), expect.anything(), expect.anything()],
    ]);
    const told = factsOf(failed, 'noticed').filter(({ code }) => code === 'lane-gone');
    expect(told.map(({ text }) => text.includes('starts again'))).toEqual([true, true, false]);
    expect(await readRun(always, 'evidence-1.md')).toContain('Leave the git folder alone');
    expect(await redCommits(always.repo)).toEqual([]);
  },
);

test('if the next task cannot be chosen while others are worked on, these end, and the run’s own tree is tidied first', async () => {
  const breaks =
    'trunk=$(cat .git/pawl-ground); rm "$trunk"/docs/plans/plan.md; echo x > "$trunk"/strange.txt';
  await using scene = await makeScene({
    plan,
    turns: [
      onTask('a', [{ bash: breaks }, { say: '{{marker NEEDS_INPUT which?}}' }], true),
      onTask('a', [write('a'), done]),
      onTask('b', [{ think: 60_000 }], true),
      onTask('b', [write('b'), done]),
      onTask('c', [write('c'), done]),
    ],
    env: { PAWL_REVIEW_STAGES: 'none', PAWL_KEEP_GOING: 'true' },
  });
  const stopped = await expectExit(2, scene.run('--jobs', '2'));
  expect(factsOf(stopped, 'session-ended')).toHaveLength(2);
  const root = factsOf(stopped, 'run-started')[0]?.worktree?.path ?? '';
  expect(existsSync(path.join(root, 'docs/plans/plan.md'))).toBe(true);
  expect(existsSync(path.join(root, 'strange.txt'))).toBe(false);
});
