// Steering from another terminal: pause with a hand edit of the plan, stop, and a wait that a person cuts short. Each is
// acknowledged, journaled, and counted as a person's doing.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, untilGo, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, startTo, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const slowA = onTask('a', [write('a'), untilGo, done]);

test('pause → the turn ends, nothing starts → the plan is edited by hand → continue', async () => {
  await using scene = await makeNight({ turns: [slowA, ...honest('b', 'c')], plan: letterPlan('a', 'b') });
  const { repo } = scene;
  const running = await startTo(scene, '.git/started');
  const paused = await scene.pawl('pause');
  expect(paused, tell(paused)).toMatchObject({ exit: 0, stderr: '' });
  expect(paused.stdout).toMatch(/may finish its turn/);
  await repo.write('.git/go', '');
  await running.until('paused');
  expect(JSON.parse((await scene.pawl('status', '--json')).stdout)).toMatchObject({ state: 'paused' });

  const twice = await scene.pawl('pause');
  expect(twice).toMatchObject({ exit: 2, stdout: '' });
  expect(twice.stderr).toMatch(/paused already/);

  const plan = path.join(repo.path, 'docs/plans/plan.md');
  const text = await repo.read('docs/plans/plan.md');
  await writeFile(plan, text.replace('### Task 2: Write b', '### Task 2 Write b'));
  const broken = await expectExit(2, scene.pawl('continue'));
  expect(broken.stderr).toMatch(/still paused: the plan cannot be run[\s\S]*plan\.md:\d+/);
  await writeFile(plan, `${text}\n${letterPlan('x', 'x', 'c').split('\n\n').at(-1)}`);
  await expectExit(0, scene.pawl('continue'));
  const ended = await expectExit(0, running.ended);
  expect(storyOf(ended)).toEqual(['done', '1 proven', 'done', '2 proven', 'done', '3 proven']);
  expect(await repo.read('c.txt')).toBe('c\n');
  const [asked] = factsOf(ended, 'intervention');
  expect(asked).toMatchObject({ now: false });
  const between = ended.events.slice(
    ended.events.findIndex(({ type }) => type === 'paused'),
    ended.events.findIndex((event) => event.type === 'intervention' && event.kind === 'continue'),
  );
  expect(between.map(({ type }) => type)).toEqual(['paused']);
  expect(factsOf(ended, 'intervention').map(({ kind }) => kind)).toEqual(['pause', 'continue', 'hand-edit']);
  await expectNoProcess(scene);
});

inSoak(
  'a turn that ends red in a pause: its conversation is gone on with, and no attempt counts',
  async () => {
    const wrong = { bash: 'echo wrong > a.txt' };
    await using scene = await makeNight({
      plan: letterPlan('a'),
      turns: [
        onTask('a', [wrong, untilGo, done], true),
        { when: { regex: 'grep' }, steps: [write('a'), done] },
      ],
      env: { PAWL_TASK_CORRECTIONS: '1' },
    });
    const running = await startTo(scene, '.git/started');
    await expectExit(0, scene.pawl('pause'));
    await scene.repo.write('.git/go', '');
    await running.until('paused');
    await expectExit(0, scene.pawl('continue'));
    const ended = await expectExit(0, running.ended);
    const [first, second] = factsOf(ended, 'session-started');
    expect(second).toMatchObject({ continues: first?.session });
    expect(storyOf(ended)).toEqual(['done', '1 again', 'done', '1 proven']);
  },
);

test('pause --now interrupts the session, keeps its work, and counts no attempt; a stop then holds', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: { PAWL_TASK_ATTEMPTS: '1' },
    turns: [
      onTask('a', [{ bash: 'echo half > half.txt; echo > .git/started; sleep 60' }], true),
      ...honest('a'),
    ],
  });
  const running = await startTo(scene, '.git/started');
  expect((await scene.pawl('pause', '--now')).exit).toBe(0);
  await running.until('paused');
  await expectExit(0, scene.pawl('stop'));
  const stopped = await expectExit(130, running.ended);
  expect(storyOf(stopped)).toEqual(['interrupted', '1 again']);
  expect(stopped.events.at(-1)).toMatchObject({
    exit: 130,
    reasons: [{ text: 'stopped by `pawl stop` or the key q' }],
  });

  const late = await expectExit(2, scene.pawl('continue'));
  expect(late.stderr).toMatch(/no pawl works on docs\/plans\/plan\.md now[\s\S]*pawl run/);
  await expectExit(0, scene.run());
  expect(await scene.repo.git('show', '--name-only', '--format=', 'HEAD', '--', '*.txt')).toBe(
    'a.txt\nhalf.txt',
  );
  const over = await expectExit(2, scene.pawl('pause'));
  expect(over.stderr).toMatch(/finished/);
});
