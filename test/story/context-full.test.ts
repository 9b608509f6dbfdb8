// A context that runs full in the middle of a task: the CLI sums its conversation up and works on, and where that does not
// help a fresh session takes the work over. It never goes on for ever.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { readRun } from '../helpers/story.ts';

const half: Step = { bash: 'echo half > half.txt' };
const message = 'prompt is too long: 250000 tokens > 200000 maximum';
const tooLong: Step = { api: { status: 400, message } };
/** Answers what Claude Code 2.1.330 asks for when the API says so. */
const sumUp: Turn = { when: 'Respond with TEXT ONLY', steps: [{ say: 'Half is written, a is missing.' }] };

test('the CLI sums up and works on: the same session, and nothing is counted', async () => {
  await using scene = await makeNight({
    cast: 'claude',
    plan: letterPlan('a'),
    env: { PAWL_TASK_ATTEMPTS: '1' },
    turns: [sumUp, onTask('a', [half, { api: { status: 400, message, times: 1 } }, write('a'), done])],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  // The summary does not know the marker any more: the checks decide.
  expect(storyOf(ended)).toEqual(['silent', '1 checked']);
  expect(await readRun(scene, 'sessions/001.ndjson')).toContain('"subtype":"compact_boundary"');
});

test('a session whose context stays full is ended as unfinished, and a fresh one goes on with its work', async () => {
  await using scene = await makeNight({
    cast: 'claude',
    plan: letterPlan('a'),
    turns: [onTask('a', [half, tooLong], true), ...honest('a')],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(storyOf(ended)).toEqual(['unfinished', '1 again counts', 'done', '1 checked']);
  expect(factsOf(ended, 'session-ended')[0]?.reason).toMatch(/too long|autocompact/i);
  expect(factsOf(ended, 'session-started').map(({ continues }) => continues)).toEqual([undefined, undefined]);
  expect(await readRun(scene, 'sessions/002.prompt.md')).toMatch(/did not finish it(.|\n)*still in the tree/);
  expect(await scene.repo.git('ls-files', 'half.txt')).toBe('half.txt');
  await expectNoProcess(scene);
});

test('a task that fills every context fails after its attempts, and its work stays', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: { PAWL_TASK_ATTEMPTS: '2' },
    turns: [onTask('a', [half, tooLong])],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
  expect(storyOf(ended)).toEqual(['unfinished', '1 again counts', 'unfinished', '1 fail counts']);
  expect(await scene.repo.read('half.txt')).toBe('half\n');
});
