// Progress, not motion: what attempts come to nothing new is seen by trees and failures; the task is
// told to diagnose, gets the stronger model, and is given up, but never while its files move.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { asidesOf, expectExit, factsOf } from '../helpers/pawl.ts';
import { runFolder } from '../helpers/story.ts';

const plan = letterPlan('a');

/** What was said of progress, as `step: why`. */
const stepsOf = (ended: Parameters<typeof factsOf>[0]) =>
  factsOf(ended, 'stuck').map(({ step, why }) => `${step}: ${why}`);

test('the same again and again: diagnose, the stronger model, and no more, with attempts to spare', async () => {
  const env = { PAWL_TASK_ATTEMPTS: '9', PAWL_TASK_ESCALATE: 'opus:high' };
  await using scene = await makeNight({
    plan,
    env,
    turns: [onTask('a', [{ bash: 'echo b > a.txt' }, done])],
  });
  const ended = await expectExit(1, scene.run());
  const same = (attempt: number) =>
    `attempt ${attempt} ended with the same failure and the same files as attempt ${attempt - 1}`;
  expect(stepsOf(ended)).toEqual([
    `diagnose: ${same(2)}`,
    `escalate: ${same(3)}`,
    `give-up: ${same(4)}, 3 times in a row`,
  ]);
  expect(factsOf(ended, 'session-started').map(({ model }) => model)).toEqual([
    undefined,
    undefined,
    undefined,
    'opus',
  ]);
  expect(asidesOf(ended, 'failed')).toMatchObject([{ reason: expect.stringMatching(/^no progress: /) }]);
  const prompt = readFileSync(path.join(await runFolder(scene), 'sessions', '003.prompt.md'), 'utf8');
  expect(prompt).toContain('There is no progress: attempt 2 ended with the same failure');
  expect(prompt).toContain('Diagnose first');
  // What each attempt left is in a rescue; the last one's is still in the tree.
  expect(factsOf(ended, 'rescue-saved').length).toBeGreaterThanOrEqual(2);
  expect(await scene.repo.read('a.txt')).toBe('b\n');
});
