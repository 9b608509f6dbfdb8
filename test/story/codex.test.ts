// The real codex CLI as the agent that does the work, over its app server on the scripted Responses API: corrections,
// limits, failures, a kill, a person's word. What comes after a turn is the same for every agent, and told elsewhere.
import { expect, test, vi } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, readStreams, storyOf, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const work = ['done', '1 proven'];
const oneAttempt = { PAWL_TASK_ATTEMPTS: '1' };
const night = (turns: readonly Turn[], env = {}, letters = ['a']) =>
  makeNight({ cast: 'codex', plan: letterPlan(...letters), turns, env: { ...oneAttempt, ...env } });
/** Writes a file first, so that a test knows that it runs. */
const long = { bash: 'echo half > half.txt; sleep 60' };

test('two tasks, one of them with a correction in the same process', async () => {
  await using scene = await night(
    [...honest('a'), onTask('b', [write('x'), done]), { steps: [{ bash: 'echo b > b.txt' }, done] }],
    { PAWL_TASK_CORRECTIONS: '1' },
    ['a', 'b'],
  );
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual([...work, '2 correct', 'done', '2 proven']);
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  expect(factsOf(ended, 'session-ended').map(({ tokens, exitCode }) => [tokens?.output, exitCode])).toEqual([
    [40, 0],
    [80, 0],
  ]);
  await expectNoProcess(scene);
});

inSoak('a usage limit is waited for until its own reset, and the thread is gone on with', async () => {
  await using scene = await night([
    onTask('a', [{ bash: 'echo half > half.txt' }, { limit: { resetsInS: 3 } }], true),
    ...honest('a'),
  ]);
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['limited', '1 wait', 'waiting limit', 'waited', ...work]);
  const seen = factsOf(ended, 'limit-seen').find(({ status }) => status === 'rejected');
  expect(seen).toMatchObject({ window: '5_hour', utilization: 1 });
  expect(factsOf(ended, 'waiting')[0]?.until).toBeGreaterThanOrEqual(
    seen?.resetsAt ?? Number.POSITIVE_INFINITY,
  );
  // A request that succeeded before the limit is counted, and once.
  expect(factsOf(ended, 'session-ended').map(({ tokens }) => tokens?.output)).toEqual([20, 40]);
  const [first, second] = factsOf(ended, 'session-ready').map(({ agentSession }) => agentSession);
  expect(second).toBe(first);
});

test('pawl killed in the middle of a command leaves nothing, and the thread is gone on with', async () => {
  await using scene = await night([onTask('a', [long], true), ...honest('a')]);
  const running = scene.startRun();
  await untilFile(scene, 'half.txt');
  const ready = await running.until('session-ready');
  await vi.waitFor(() => expect(readStreams(scene)).toContain('"commandExecution"'), {
    timeout: 240_000,
  });
  running.child.kill('SIGKILL');
  await running.ended;
  await expectNoProcess(scene);
  const again = await expectExit(0, scene.again());
  expect(storyOf(again)).toEqual(['crashed', '1 again', ...work]);
  expect(factsOf(again, 'session-started')).toMatchObject([{ continues: 1 }]);
  expect(factsOf(again, 'session-ready')[0]?.agentSession).toBe(ready.agentSession);
});

inSoak('a person steers the running turn, which goes on', async () => {
  await using scene = await night([
    onTask('a', [{ bash: 'echo half > half.txt; sleep 3' }, { say: 'Nothing else.' }]),
    { when: 'Use the blue one', steps: [write('a'), done] },
  ]);
  const running = scene.startRun();
  await untilFile(scene, 'half.txt');
  await expectExit(0, scene.pawl('steer', '--now', 'Use the blue one.'));
  const ended = await expectExit(0, running.ended);
  expect(storyOf(ended)).toEqual(work);
  expect(factsOf(ended, 'turn-ended')).toHaveLength(1);
});
