// Steering the tasks of a run that goes on: skip, retry, answer and budget, two terminals at once, the socket of a dead
// run, and an agent that tries to steer its own.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { done, honest, letterPlan, onTask, untilGo, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, startTo, storyOf, untilFile } from '../helpers/night.ts';
import { asidesOf, expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const busy = { bash: 'echo > .git/started; sleep 60' };

test('skip ends the session, keeps its work aside and lets the next task come; retry takes it up again', async () => {
  await using scene = await makeNight({
    turns: [
      onTask('a', [{ bash: 'echo half > half.txt' }, busy], true),
      onTask('b', [{ bash: 'echo > .git/b' }, untilGo, write('b'), done], true),
      ...honest('a'),
    ],
  });
  const { repo } = scene;
  const running = await startTo(scene, '.git/started');
  const skipped = await scene.pawl('skip');
  expect(skipped, tell(skipped)).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/Task 1 is skipped in this run/),
  });
  await untilFile(scene, '.git/b');
  expect(await repo.exists('half.txt')).toBe(false);
  const status = JSON.parse((await scene.pawl('status', '--json')).stdout);
  expect(status).toMatchObject({ tasks: { skipped: 1 }, inWork: [{ id: '2' }] });
  expect((await scene.pawl('skip', '1')).stderr).toMatch(/skipped already/);
  await repo.write('.git/go', '');
  const ended = await expectExit(3, running.ended);
  expect(storyOf(ended)).toEqual(['interrupted', '1 skip', 'done', '2 proven']);
  expect(ended.events.at(-1)).toMatchObject({
    reasons: [{ exit: 3, code: 'skipped', text: 'task 1 was skipped by a person' }],
  });
  const [{ rescue = '' } = {}] = asidesOf(ended, 'skipped');
  expect(await repo.git('show', `${rescue}:half.txt`)).toBe('half');
  expect(await repo.git('status', '--porcelain')).toBe('');

  await expectExit(3, scene.run());
  const retried = await scene.pawl('retry');
  expect(retried.stdout).toMatch(/Task 1 gets new attempts\. `pawl run/);
  const again = await expectExit(0, scene.run());
  expect(storyOf(again)).toEqual(['done', '1 proven']);
  await expectNoProcess(scene);
});

inSoak(
  'a task that depends on a skipped one is not begun; one that failed is retried meanwhile',
  async () => {
    const needs = ['none', '1', 'none'];
    const plan = letterPlan('a', 'b', 'c').replace(
      /- check:/g,
      (check) => `- depends: ${needs.shift()}\n${check}`,
    );
    await using scene = await makeNight({
      plan,
      env: { PAWL_KEEP_GOING: 'true', PAWL_TASK_ATTEMPTS: '1' },
      turns: [
        onTask('a', [{ say: 'No.\n\n{{marker TASK_FAILED cannot}}' }], true),
        onTask('c', [untilGo, write('c'), done], true),
        ...honest('a', 'b'),
      ],
    });
    const running = await startTo(scene, '.git/started');
    await expectExit(0, scene.pawl('skip', '2'));
    await expectExit(0, scene.pawl('retry', '1'));
    await scene.repo.write('.git/go', '');
    const ended = await expectExit(3, running.ended);
    expect(storyOf(ended)).toEqual(['failed', '1 fail counts', 'done', '3 proven', 'done', '1 proven']);
    expect(ended.events.at(-1)).toMatchObject({ reasons: [{ code: 'skipped', text: /^task 2/ }] });
  },
);

test('an answer and a budget reach a run that goes on; two terminals are both heard', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a', 'b').replaceAll('- check:', '- depends: none\n- check:'),
    env: { PAWL_KEEP_GOING: 'true' },
    turns: [
      { when: 'The answer: blue', steps: [write('a'), done] },
      onTask('a', [{ say: 'Which?\n\n{{marker NEEDS_INPUT which colour?}}' }], true),
      onTask('b', [untilGo, write('b'), done], true),
    ],
  });
  const running = await startTo(scene, '.git/started');
  expect((await scene.pawl('answer')).stdout).toMatch(/asks: which colour\?/);
  const [answered, budget, bad] = await Promise.all([
    scene.pawl('answer', '1', 'blue'),
    scene.pawl('set', 'budget', '$20'),
    scene.pawl('set', 'budget', 'much'),
  ]);
  expect(answered, tell(answered)).toMatchObject({ exit: 0 });
  expect(budget.stdout).toMatch(/may spend \$20\.00 in all/);
  expect(bad).toMatchObject({ exit: 2, stderr: expect.stringMatching(/not a number of US dollars/) });
  await scene.repo.write('.git/go', '');
  const ended = await expectExit(0, running.ended);
  expect(storyOf(ended).filter((word) => / (?:proven|passed|unchecked)$/.test(word))).toEqual([
    '2 proven',
    '1 proven',
  ]);
  expect(factsOf(ended, 'budgets-set').at(-1)).toMatchObject({ asked: [{ budget: 'cost', cap: 20 }] });
});

test('an agent or check that tries to steer is refused, and nothing comes of it', async () => {
  const pawl = `'${process.execPath}' '${builtFile('main')}'`;
  const tries = ['stop', 'pause --now', 'skip', 'steer hi', 'set budget 1', 'answer 1 x', 'continue'].map(
    (words) => `${pawl} ${words}; echo "$? ${words}" >> .git/tries`,
  );
  const check = `! ${pawl} stop`;
  await using scene = await makeNight({
    plan: `${letterPlan('a')}\n## Checks\n- \`${check}\`\n`,
    turns: [onTask('a', [{ bash: `${tries.join('; ')}; ${pawl} status > .git/status` }, write('a'), done])],
  });
  writeFileSync(path.join(scene.repo.path, '.git', 'tries'), '');
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['done', '1 proven']);
  expect(
    (await scene.repo.read('.git/tries'))
      .trim()
      .split('\n')
      .map((line) => line[0]),
  ).toEqual(tries.map(() => '2'));
  expect(await scene.repo.read('.git/status')).toMatch(/working/);
  expect(factsOf(ended, 'intervention')).toEqual([]);
});
