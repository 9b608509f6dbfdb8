// A task that asks: what does not build on it goes on, the run waits for the answer as long as it may, and at a terminal
// the answer is typed where the question stands.
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { shows, sitDown } from '../helpers/seat.ts';
import { readRun } from '../helpers/story.ts';

const asks = onTask('a', [write('x'), { say: 'Which?\n\n{{marker NEEDS_INPUT which colour?}}' }], true);
const answered = {
  when: 'The answer: blue',
  steps: [{ bash: 'grep -qx x x.txt && rm x.txt' }, write('a'), done],
};
const chain = letterPlan('a', 'b');

const makeAsking = (plan: string) => makeNight({ plan, turns: [answered, asks, ...honest('b')] });

test('where all else builds on it, its work stays in the tree; waitForAnswer waits, and no longer', async () => {
  await using scene = await makeAsking(chain);
  const ended = await expectExit(3, scene.run('--set', 'waitForAnswer=1s'));
  expect(factsOf(ended, 'waiting')).toMatchObject([{ why: 'answer', text: 'your answer to task 1' }]);
  expect(factsOf(ended, 'waited')).toMatchObject([{ how: 'time' }]);
  expect(await scene.repo.read('x.txt')).toBe('x\n');

  // A person ends the wait.
  const left = scene.startRun('--set', 'waitForAnswer=1h');
  await left.until('waiting');
  expect((await scene.pawl('continue')).exit).toBe(0);
  expect((await left.ended).exit).toBe(3);

  const running = scene.startRun('--set', 'waitForAnswer=1h');
  await running.until('waiting');
  expect((await scene.pawl('status')).stdout).toMatch(/state +waiting for your answer to task 1/);
  expect((await scene.pawl('answer', '1', 'blue')).exit).toBe(0);
  const last = await expectExit(0, running.ended);
  expect(factsOf(last, 'waited')).toMatchObject([{ how: 'person' }]);
  const diff = (...words: string[]) => scene.pawl('diff', ...words);
  expect((await diff()).stdout).toMatch(/\+a[\s\S]*\+b/);
  const second = (await diff('2', '--stat')).stdout;
  expect([second.includes('b.txt'), second.includes('a.txt')]).toEqual([true, false]);
  expect((await diff('9')).exit).toBe(2);
});

test.runIf(has('terminals (script)'))(
  'at a terminal it rings; left with q it is asked again at the next start, once, and what is typed is the answer',
  async () => {
    await using scene = await makeAsking(chain);
    for (const answer of [undefined, 'blue\r']) {
      using seat = await sitDown(scene);
      await shows(seat, 'Answer to task 1 › ');
      if (answer === undefined) expect(seat.screen()).toContain('\x07');
      // An empty line closes the prompt, and keys count again.
      seat.type(answer ?? '\rq');
      if (answer !== undefined) await shows(seat, 'Task 1 closed');
      expect((await seat.ended).exit, seat.screen()).toBe(answer === undefined ? 130 : 0);
    }
    expect(await readRun(scene, 'journal.ndjson')).toContain('"said":"blue"');
  },
);
