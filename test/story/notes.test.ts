// A person's notes: each reaches one session, also where pawl is killed around the delivery, and the running session hears
// one at once, in the same conversation where the agent can.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, untilGo, write } from '../helpers/letters.ts';
import { expectNoProcess, killAt, makeNight, startTo, storyOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { runFolder } from '../helpers/story.ts';

const startAndWait = { bash: 'echo > .git/started; sleep 60' };

/** Files of the sessions' folder that hold the text, the raw streams left out. */
async function carriers(scene: Scene, text: string): Promise<readonly string[]> {
  const folder = path.join(await runFolder(scene), 'sessions');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return names.filter((_, at) => texts[at]?.includes(text));
}

/** Sessions that a note was delivered to, over all lives of a run. */
function deliveries(note: number, ...lives: readonly Ended[]): readonly number[] {
  return lives.flatMap((life) => [
    ...factsOf(life, 'session-started').flatMap(({ session, notes }) =>
      notes?.includes(note) ? [session] : [],
    ),
    ...factsOf(life, 'notes-delivered').flatMap(({ session, notes }) =>
      notes.includes(note) ? [session] : [],
    ),
  ]);
}

test('notes go into the next prompt, or that of their task', async () => {
  await using scene = await makeNight({
    turns: [onTask('a', [write('a'), untilGo, done]), ...honest('b', 'c')],
    plan: letterPlan('a', 'b', 'c'),
  });
  const running = await startTo(scene, '.git/started');
  expect((await scene.pawl('steer', 'Use', 'the', 'blue', 'one.')).stdout).toMatch(
    /Note 1: the next session gets it/,
  );
  expect((await scene.pawl('steer', '--task', '3', 'Only for c.')).stdout).toMatch(/Note 2: .*task 3/);
  for (const [args, says] of [
    [['--task', '7', 'x'], /no task 7 in the plan[\s\S]*1, 2, 3/],
    [['  '], /empty/],
  ] as const) {
    const wrong = await scene.pawl('steer', ...args);
    expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringMatching(says) });
  }
  await scene.repo.write('.git/go', '');
  const ended = await expectExit(0, running.ended);
  expect(deliveries(1, ended)).toEqual([2]);
  expect(deliveries(2, ended)).toEqual([3]);
  expect(await carriers(scene, 'Use the blue one.')).toEqual(['002.prompt.md']);
  expect(await carriers(scene, 'Only for c.')).toEqual(['003.prompt.md']);
  expect(factsOf(ended, 'intervention').map(({ kind }) => kind)).toEqual(['steer', 'steer']);
});

describe.concurrent('a note left for a stopped run is delivered once when pawl is killed before', () => {
  inSoak.each([
    ['its prompt is kept', 'file write 002.prompt.md#1', [2]],
    ['its session starts', 'journal session-started#1', [2]],
    ['its session is ready', 'journal session-ready#1', [2]],
  ] as const)('%s', async (_, effect, sessions) => {
    await using scene = await makeNight({
      plan: letterPlan('a'),
      turns: [onTask('a', [startAndWait], true), ...honest('a')],
    });
    const first = await startTo(scene, '.git/started');
    expect((await scene.pawl('stop')).exit).toBe(0);
    await first.ended;
    const left = await scene.pawl('steer', 'Use the blue one.');
    expect(left, tell(left)).toMatchObject({ exit: 0 });
    Object.assign(scene.env, killAt(effect));
    const killed = await expectExit('SIGKILL', scene.run());
    const again = await expectExit(0, scene.again());
    const delivered = deliveries(1, killed, again);
    expect(delivered).toHaveLength(1);
    expect(sessions).toContain(delivered[0]);
    await expectNoProcess(scene);
  });
});

test('steer --now is heard in the running conversation', async () => {
  await using scene = await makeNight({
    cast: 'claude',
    plan: letterPlan('a'),
    env: { PAWL_TASK_ATTEMPTS: '1' },
    turns: [
      { when: 'the blue one', steps: [write('a'), done] },
      onTask('a', [{ bash: 'echo half > half.txt; echo > .git/started; sleep 60' }]),
    ],
  });
  const running = await startTo(scene, '.git/started');
  const steered = await scene.pawl('steer', '--now', 'Use the blue one.');
  expect(steered.stdout).toMatch(/running session \(1\) gets it at once/);
  const ended = await expectExit(0, running.ended);
  expect(storyOf(ended)).toEqual(['done', '1 proven']);
  expect(deliveries(1, ended)).toEqual([1]);
  expect(await carriers(scene, 'Use the blue one.')).toEqual(['001.note-1.md']);
  await expectNoProcess(scene);
});

inSoak('an agent that takes one prompt only is ended and told by the next session', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: { PAWL_TASK_ATTEMPTS: '1', PAWL_AGENT_CLAUDE_INPUT: 'text' },
    turns: [{ when: 'the blue one', steps: [write('a'), done] }, onTask('a', [startAndWait])],
  });
  const running = await startTo(scene, '.git/started');
  expect((await scene.pawl('steer', '--now', 'Use the blue one.')).exit).toBe(0);
  const ended = await expectExit(0, running.ended);
  expect(storyOf(ended)).toEqual(['interrupted', '1 again', 'done', '1 proven']);
  expect(deliveries(1, ended)).toEqual([2]);
});
