// However a session or pawl itself is ended, no process is left, the work stays in the tree, and the same command again
// goes on at the same task.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, onTask } from '../helpers/letters.ts';
import { endAt, expectNoProcess, makeNight, processesOf, storyOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, type Scene } from '../helpers/pawl.ts';

/** Leaves half of the work and a tool call that never ends, with a child in a session of its own. */
const hangs: Step = { bash: 'echo half > half.txt; setsid sleep 31337 & tail -f /dev/null' };

/** The run goes on with task 2 alone, and its one commit holds what both sessions made. */
async function expectGoesOn(scene: Scene, next: number): Promise<Ended> {
  const again = await expectExit(0, scene.run());
  expect(factsOf(again, 'session-started').map(({ task, session }) => [session, task])).toEqual([
    [next, '2'],
  ]);
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  expect(await scene.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe(
    'b.txt\ndocs/plans/plan.md\nhalf.txt',
  );
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  await expectNoProcess(scene);
  return again;
}

// An agent that ignores signals: clocks.test.ts, at Ctrl-C classes-terminal.test.ts; each signal at each fact, with the scripted
// agent: test/soak.
test('what a turn leaves in a session of its own is ended; Ctrl-C and then kill -9 of pawl leave no agent, and repeat no finished task (3, 5, 62)', async () => {
  const leaves: Step = { bash: 'setsid sleep 31336 >/dev/null 2>&1 < /dev/null & echo a > a.txt' };
  const turns = [
    onTask('a', [leaves, done]),
    ...[1, 2].map(() => onTask('b', [hangs], true)),
    ...honest('b'),
  ];
  await using scene = await makeNight({ cast: 'claude', turns });
  const { repo } = scene;
  const stopped = await expectExit(130, endAt(scene, 'half.txt', 'SIGINT'));
  expect(processesOf(scene)).toEqual([]);
  expect(factsOf(stopped, 'act-found')).toMatchObject([
    { task: '1', act: 'left-process', detail: expect.stringContaining('sleep 31336') },
  ]);
  expect(storyOf(stopped)).toEqual(['done', '1 proven', 'interrupted', '2 stop']);
  expect(stopped.events.at(-1)).toMatchObject({
    type: 'run-ended',
    exit: 130,
    finished: false,
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    head: await repo.git('rev-parse', 'HEAD'),
  });
  expect(await repo.read('half.txt')).toBe('half\n');
  await repo.git('clean', '-qf', '--', 'half.txt');
  await expectExit('SIGKILL', endAt(scene, 'half.txt'));
  await expectNoProcess(scene);
  expect(await repo.read('half.txt')).toBe('half\n');
  const again = await expectGoesOn(scene, 4);
  expect(factsOf(again, 'session-ended')).toMatchObject([
    { session: 3, outcome: 'crashed', costAtLeast: true },
    { session: 4, outcome: 'done' },
  ]);
});
