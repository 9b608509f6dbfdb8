// A review to each of its named ends, by scripted agents: only reviewers who all answered, and a fixer whose work is proven,
// make it a good one.
import { expect, test } from 'vitest';
import { tell } from '../helpers/night.ts';
import { factsOf } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';

const quiet = [reviewer('quality', []), reviewer('testing', [])];

test('findings are fixed, and the next round is clean', { timeout: 120_000 }, async () => {
  await using scene = await makeReview({
    turns: [
      reviewer('quality', [complaint()], { once: true }),
      ...quiet,
      fixer([{ bash: 'echo "# right is the word" > src/README.md' }, answersTo({ F1: true })]),
    ],
  });
  const ended = await scene.run();
  expect(
    reviewOf(ended).filter((line) => !line.startsWith('testing')),
    tell(ended),
  ).toEqual([
    'first 1',
    'quality: F1',
    'F1 fixed',
    'fixer: committed',
    'first 2',
    'quality: nothing',
    'first ended clean',
  ]);
  expect(ended.exit, tell(ended)).toBe(0);
  const [, fix] = factsOf(ended, 'task-closed');
  expect(fix).toMatchObject({ task: 'fix-first-1', proof: 'checked' });
  const message = await scene.repo.git('log', '-1', '--format=%B');
  expect(message).toMatch(/^fix: The word is not explained\n\n- F1 src\/word.txt:1/);
  expect(message).toContain('Pawl-Finding: F1\nPawl-Checks: green');
});
