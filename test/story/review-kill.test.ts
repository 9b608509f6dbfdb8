// `kill -9` in the middle of a review: the same command goes on in the same round, and nobody who has answered in it is
// asked again.
import { expect, test } from 'vitest';
import { killAt } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

/** The effect it is killed before, and how many sessions of reviewers and fixers both lives together take. */
test.each<[string, number, number]>(
  share(
    [
      // Both reviewers of round two were asked, and one had answered: the other is asked again.
      ['journal opinion-given#4', 5, 1],
      ['journal closing#2+1', 4, 1],
      ['journal task-closed#2', 4, 1],
      ['journal work-ended#1', 4, 1],
      ['journal review-round-ended#2+1', 4, 1],
    ],
    5,
  ),
)('killed before %s', async (effect, reviewers, fixers) => {
  await using scene = await makeReview({
    turns: [
      reviewer('quality', [complaint()], { once: true }),
      reviewer('quality', []),
      reviewer('testing', []),
      fixer([{ bash: 'echo "right is the word" > src/README.md' }, answersTo({ F1: true })]),
    ],
    env: killAt(effect),
  });
  await expectExit('SIGKILL', scene.run());
  delete scene.env['KILL_PAWL_AT'];
  const ended = await expectExit(0, scene.run());
  // What was journaled last before the kill was not shown any more.
  const lines = (await readRun(scene, 'journal.ndjson')).trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Ended['events'][number]);
  const asked = factsOf({ events }, 'session-started');
  expect(
    asked.filter(({ role }) => role === 'review'),
    tell(ended),
  ).toHaveLength(reviewers);
  expect(asked.filter(({ role }) => role === 'fix')).toHaveLength(fixers);
  expect(
    reviewOf({ events })
      .filter((line) => !line.includes('missing'))
      .sort(),
  ).toEqual(
    [
      'F1 fixed',
      'first 1',
      'first 2',
      'first ended clean',
      'fixer: committed',
      'quality: F1',
      'quality: nothing',
      'testing: nothing',
      'testing: nothing',
    ].sort(),
  );
  expect((await scene.repo.git('log', '--format=%s')).match(/^fix: /gm)).toHaveLength(1);
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
});

test('a spent budget stops it, then a kill before its end is told: nobody is asked again', async () => {
  await using scene = await makeReview({
    turns: [reviewer('quality', []), reviewer('testing', [])],
    env: { FIXED_REVIEWERS: '1' },
  });
  await expectExit(5, scene.run('--set', 'budgets.maxSessions=2'));
  Object.assign(scene.env, killAt('journal stage-ended#1'));
  const more = ['--set', 'budgets.maxSessions=9'];
  await expectExit('SIGKILL', scene.run(...more));
  delete scene.env['KILL_PAWL_AT'];
  const ended = await expectExit(0, scene.run(...more));
  expect(reviewOf(ended)).toEqual(['first ended clean']);
});
