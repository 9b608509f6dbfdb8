// `kill -9` and Ctrl-C around a task that failed: the same command again takes no failed task up anew, which only a person's
// new start after a stop does, and goes on where it was.
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, killAt, makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const free = (...letters: readonly string[]) =>
  letterPlan(...letters).replaceAll('- check:', '- depends: none\n- check:');
const failsA = onTask('a', [{ bash: 'echo wrong > a.txt' }, done]);
const sessions = (...ended: Parameters<typeof factsOf>[0][]) =>
  ended.flatMap((run) => factsOf(run, 'session-started').map(({ task }) => task));

inSoak.each([
  ['SIGKILL', 1, ['1', '2', '2'], ['Write b', 'start']],
  ['SIGINT', 0, ['1', '2', '2', '1'], ['Write a', 'Write b', 'start']],
] as const)(
  '--keep-going, %s in the task after it: that one goes on first; the failed one is begun anew, without its work, after a stop alone',
  async (signal, exit, begun, log) => {
    await using scene = await makeNight({
      plan: free('a', 'b'),
      turns: [
        { ...failsA, once: true },
        onTask('b', [{ bash: 'echo half > half.txt; touch .git/half; sleep 60' }], true),
        ...honest('a', 'b'),
      ],
      env: { PAWL_TASK_ATTEMPTS: '1', PAWL_KEEP_GOING: 'true' },
    });
    const cut = await endAt(scene, '.git/half', signal);
    const again = await expectExit(exit, scene.again());
    expect(sessions(cut, again)).toEqual(begun);
    expect(await scene.repo.log()).toEqual(log);
    const ofB = await scene.repo.git('log', '--name-only', '--format=', '--grep=^Write b');
    expect(ofB).toContain('half.txt');
    const reasons = exit === 0 ? [] : [{ text: 'task 1 failed: red: grep -qx a a.txt' }];
    expect(again.events.at(-1)).toMatchObject({ type: 'run-ended', reasons });
  },
);

inSoak.each(['task-set-aside', 'run-ended'])('killed before %s is journaled', async (type) => {
  await using scene = await makeNight({
    plan: free('a', 'b'),
    turns: [failsA, onTask('b', [write('b'), done])],
    env: { PAWL_TASK_ATTEMPTS: '1', ...killAt(`journal ${type}#1`) },
  });
  const killed = await expectExit('SIGKILL', scene.run());
  const again = await expectExit(1, scene.again());
  expect(again.events.at(-1)).toMatchObject({
    type: 'run-ended',
    finished: false,
    reasons: [{ code: 'task-failed', text: 'task 1 failed: red: grep -qx a a.txt' }],
  });
  expect(sessions(killed, again)).toEqual(['1']);
});

inSoak.each(['journal task-set-aside#1', 'journal task-started#1'])(
  'a task that is opened again before the one in work comes first; the work waits aside (killed before %s)',
  async (effect) => {
    await using scene = await makeNight({
      turns: [
        onTask('a', [write('a'), { bash: 'echo more >> more.txt' }, done]),
        onTask('b', [{ bash: 'echo half > half.txt; touch .git/half; sleep 60' }], true),
        onTask('b', [write('b'), done]),
      ],
    });
    const stopped = await expectExit(130, endAt(scene, '.git/half', 'SIGINT'));
    const plan = await scene.repo.read('docs/plans/plan.md');
    await scene.repo.write('docs/plans/plan.md', plan.replace('- [x] Write a', '- [ ] Write a'));
    Object.assign(scene.env, killAt(effect));
    const killed = await expectExit('SIGKILL', scene.run());
    const again = await expectExit(0, scene.again());
    expect(sessions(stopped, killed, again)).toEqual(['1', '2', '1', '2']);
    const filesOf = (commit: string) => scene.repo.git('show', '--name-only', '--format=%s', commit);
    expect(await filesOf('HEAD~')).toBe('Write a\n\nmore.txt');
    expect(await filesOf('HEAD')).toBe('Write b\n\nb.txt\ndocs/plans/plan.md\nhalf.txt');
  },
);

test('killed while the work of a task that asks leaves the tree, and another is named: each commit has only its own', async () => {
  const asks = [{ bash: 'echo half > half.txt' }, { say: '{{marker NEEDS_INPUT which?}}' }];
  await using scene = await makeNight({
    plan: free('a', 'b'),
    turns: [onTask('a', asks, true), ...honest('a', 'b')],
    env: killAt('journal task-set-aside#1'),
  });
  const { repo } = scene;
  const filesOf = (commit: string) => repo.git('diff', '--name-only', `${commit}~1`, commit, '--', ':!docs');
  await expectExit('SIGKILL', scene.run());
  const named = await scene.again('--task', '2');
  expect(factsOf(named, 'task-closed'), tell(named)).toMatchObject([{ task: '2' }]);
  expect(await filesOf('HEAD')).toBe('b.txt');
  expect(await repo.git('status', '--porcelain')).toBe('');
  expect((await scene.again()).exit).toBe(3);
  expect((await scene.pawl('answer', '1', 'that one')).exit).toBe(0);
  await expectExit(0, scene.again());
  expect(await filesOf('HEAD')).toBe('a.txt\nhalf.txt');
});

test('a task that its check closed though its session gave up says so, also if pawl was killed before the commit', async () => {
  const givesUp = { say: 'No.\n\n{{marker TASK_FAILED it is too hard}}' };
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [onTask('a', [write('a'), givesUp])],
    env: killAt('git commit#1'),
  });
  await expectExit('SIGKILL', scene.run());
  const ended = await expectExit(0, scene.again());
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect(factsOf(ended, 'task-closed')).toMatchObject([{ reason: expect.stringContaining('(failed)') }]);
});
