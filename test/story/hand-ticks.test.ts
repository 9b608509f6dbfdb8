// A person who ticks or unticks a task while the run waits: said as what it is, and no old work counts for a task that is
// open again.
import { expect, test } from 'vitest';
import { done, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { asidesOf, expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const plan = 'docs/plans/plan.md';
const limited = onTask('b', [{ limit: { resetsInS: 4 } }], true);

inSoak(
  'unticked while the run waits: the task begins anew, and what it did before is no work of now',
  async () => {
    await using scene = await makeNight({
      turns: [
        onTask('a', [write('a'), done], true),
        onTask('a', [done]),
        limited,
        onTask('b', [write('b'), done]),
      ],
      env: { PAWL_TASK_ATTEMPTS: '1' },
    });
    const running = scene.startRun();
    await running.until('waiting');
    const text = await scene.repo.read(plan);
    await scene.repo.write(plan, text.replace('[x]', '[ ]'));
    const ended = await running.ended;
    expect(factsOf(ended, 'task-reopened'), tell(ended)).toMatchObject([{ task: '1', by: 'hand' }]);
    expect(factsOf(ended, 'task-closed').map(({ task }) => task)).toEqual(['1', '2']);
    expect(asidesOf(ended, 'failed')).toMatchObject([
      { task: '1', reason: 'the agent ended, but nothing was changed' },
    ]);
  },
);

test('ticked though its check was red: the run is not done', async () => {
  await using scene = await makeNight({
    turns: [
      onTask('a', [{ bash: 'echo wrong > a.txt' }, done], true),
      onTask('a', [{ limit: { resetsInS: 4 } }], true),
      onTask('b', [write('b'), done]),
    ],
  });
  const running = scene.startRun();
  await running.until('waiting');
  const text = await scene.repo.read(plan);
  await scene.repo.write(plan, text.replace('[ ]', '[x]'));
  const ended = await expectExit(4, running.ended);
  expect(
    factsOf(ended, 'intervention')
      .filter(({ kind }) => kind === 'tick')
      .map(({ task }) => task),
  ).toEqual(['1']);
  expect((await readRun(scene)).split('\n')[0]).toMatch(/^\W*RED, and ticked by hand: Task 1/);
});
