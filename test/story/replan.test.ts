// A task that cannot work as planned: a planner is asked, what it answers is judged, and the plan that comes of it is run to
// its end. What is closed and all the author wrote elsewhere stay byte for byte.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { type Cast, type Ended, expectExit, factsOf, type Scene } from '../helpers/pawl.ts';
import { inSoak, isSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const first = '### Task 1: Write one\n- check: `grep -qx one one.txt`\n- [ ] one\n';
const second =
  '### Task 2: Write two\n- check: `grep -qx two two.txt`\n- criterion: it is short\n- [ ] two\n';
const third = '### Task 3: Write three\n- check: `grep -qx three three.txt`\n- [ ] three\n';
const head = '---\nattempts: 1\n---\n# Plan: Numbers\n\n## Overview\nNumbers in  files.   \n\n';
const tail = '\n## Notes\n\tleft *as* they are\n';
const plan = `${head}${first}\n${second}\n${third}${tail}`;
const ticked = (text: string) => text.replaceAll('- [ ]', '- [x]');

/** What a planner makes of it: a task before the one that failed, and a step more. */
const before = '### Task 1a: Make way\n- check: `test -d way`\n- [ ] make the folder\n';
const better = `${second}- [ ] through the folder\n`;

const onTask = (id: string, ...steps: readonly Step[]): Turn => ({
  when: { regex: `^### Task ${id}:` },
  steps,
});
const draft = (text: string): Step => ({
  say: `I looked.\n\n<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${text}<<<PAWL:END {{nonce}}>>>`,
});
const planner = (...steps: readonly Step[]): Turn => ({ when: 'You plan anew', steps });
const again = (...steps: readonly Step[]): Turn => ({ when: 'cannot be taken into the plan', steps });

/** Task 2 works only once there is the folder. */
const workers: readonly Turn[] = [
  onTask('1a', { bash: 'mkdir way && touch way/.keep' }, done),
  onTask('1', { bash: 'echo one > one.txt' }, done),
  onTask('2', { bash: 'test -d way && echo two > two.txt || echo no > two.txt' }, done),
  onTask('3', { bash: 'echo three > three.txt' }, done),
];

function makeStory(
  turns: readonly Turn[],
  more: { env?: Record<string, string>; cast?: Cast; files?: Record<string, string> } = {},
): Promise<Scene> {
  const env = { PAWL_REPLAN: 'on-failure', ...more.env };
  return makeNight({ plan, turns: [...turns, ...workers], ...more, env });
}

const planNow = ({ repo }: Scene) => repo.read('docs/plans/plan.md');
const results = (ended: Ended) =>
  factsOf(ended, 'replan-ended').map(({ result, reason }) => `${result}: ${reason}`);

test('a failed task is planned anew once, after a draft that is corrected in the same session, and the run ends done', async () => {
  const wrong = planner({ bash: 'echo mine > planner.txt' }, draft(`Here:\n\n${better}\n${third}`));
  await using scene = await makeStory([wrong, again(draft(`${before}\n${better}\n${third}`))], {
    cast: isSoak ? 'claude' : 'scripted',
    env: { PAWL_ROLES_PLAN: 'opus:high', PAWL_ROLES_TASK: 'haiku' },
  });
  const ended = await expectExit(0, scene.run());
  expect(await planNow(scene)).toBe(
    `${head}${ticked(first)}\n${ticked(before)}\n${ticked(better)}\n${ticked(third)}${tail}`,
  );
  expect(await scene.repo.log()).toEqual([
    'Write three',
    'Write two',
    'Make way',
    'plan: re-plan after task 2 failed',
    'Write one',
    'start',
  ]);
  const trailers = await scene.repo.git('log', '-1', '--format=%(trailers:key=Pawl-Replan)', 'HEAD~3');
  expect(trailers).toContain('Pawl-Replan: 1');
  expect(await scene.repo.git('show', '--stat', '--format=', 'HEAD~3')).toMatch(
    /plan.md .*\n 1 file changed/,
  );
  // What failed was taken out of the tree before: no commit holds it, a rescue does.
  expect(await scene.repo.git('log', '--format=%s', '--', 'two.txt')).toBe('Write two');
  const { rescue } = factsOf(ended, 'replan-ended')[0] ?? {};
  expect(await scene.repo.git('show', `${rescue}:two.txt`)).toBe('no');
  expect(await scene.repo.exists('planner.txt')).toBe(false);
  expect(results(ended)).toEqual(['taken: tasks added 1a, changed 2']);
  const models = factsOf(ended, 'session-started').map(({ role, model }) => `${role} ${model}`);
  expect(new Set(models)).toEqual(new Set(['task haiku', 'replan opus']));
  expect(factsOf(ended, 'session-started').filter(({ role }) => role === 'replan')).toHaveLength(1);
  expect(factsOf(ended, 'turn-ended').filter(({ session }) => session === 3)).toHaveLength(2);
  expect(factsOf(ended, 'noticed').map(({ code }) => code)).toContain('planner-wrote');
  const prompt = await readRun(scene, 'sessions/005.prompt.md');
  expect(prompt).toContain('The plan has changed since');
  expect(await readRun(scene)).toContain('Re-plan 1, at task 2: the plan was changed');
});

test('the last word of a planner decides: a draft before a question is not taken, and no other planner is asked for the same', async () => {
  const asks: Step = {
    say: `<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${before}\n${better}\n${third}<<<PAWL:END {{nonce}}>>>\n{{marker NEEDS_INPUT may there be a folder?}}`,
  };
  await using scene = await makeStory([planner(asks)]);
  const ended = await expectExit(1, scene.run());
  expect(results(ended)).toEqual(['failed: may there be a folder?']);
  expect(await planNow(scene)).toBe(`${head}${ticked(first)}\n${second}\n${third}${tail}`);
});

inSoak('an agent asks for it, and another task is looked at after each that is closed', async () => {
  const asks: Turn = { ...onTask('2', { say: 'No.\n\n{{marker REPLAN there is no folder}}' }), once: true };
  const leaves: Turn = { when: 'is done. See whether', steps: [{ say: 'Fine.\n\n{{marker PLAN_READY}}' }] };
  await using scene = await makeStory([leaves, planner(draft(`${before}\n${better}\n${third}`)), asks]);
  const ended = await expectExit(
    0,
    scene.run('--set', 'replan=after-each-task', '--set', 'task.attempts=2', '--fresh'),
  );
  expect(factsOf(ended, 'replan-started').map(({ why, task }) => `${why} ${task}`)).toEqual([
    'after-task 1',
    'request 2',
    'after-task 1a',
    'after-task 2',
  ]);
  expect(await readRun(scene, 'sessions/001.prompt.md')).toMatch(/<<<PAWL:REPLAN [0-9a-f]{4}>>>/);
});

inSoak('a plan that git ignores is changed in place, and no commit holds it', async () => {
  await using scene = await makeStory([planner(draft(`${before}\n${better}\n${third}`))], {
    files: { '.gitignore': 'docs/\n' },
  });
  const ended = await expectExit(0, scene.run());
  expect(await planNow(scene)).toBe(
    `${head}${ticked(first)}\n${ticked(before)}\n${ticked(better)}\n${ticked(third)}${tail}`,
  );
  expect(await scene.repo.log()).toEqual(['Write three', 'Write two', 'Make way', 'Write one', 'start']);
  expect(factsOf(ended, 'replan-ended')[0]?.oid).toBeUndefined();
});
