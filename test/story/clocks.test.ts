// Clocks that ring in whole runs, beyond those of a night (nights.test.ts): each expiry is a named outcome, leaves no
// process, and loses nothing. Which test makes which clock ring is listed in test/config/fixed.test.ts.
import { expect, test } from 'vitest';
import { letterPlan, onTask } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf, wrapAgent } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const plan = letterPlan('a');
const oneAttempt = { PAWL_TASK_ATTEMPTS: '1' };

test('session: a task’s own timeout ends the session; interrupt, term: an agent that hears neither is killed', async () => {
  await using scene = await makeNight({
    plan: plan.replace('- [ ]', '- timeout: 4s\n- [ ]'),
    env: {
      PAWL_TASK_ATTEMPTS: '2',
      PAWL_CLOCKS_SILENCE: '1s',
      SHORT_CLOCKS_MS: '{"interruptMs":500,"termMs":500}',
    },
    turns: [
      onTask('a', [{ bash: 'sleep 300' }], true),
      onTask('a', [{ ignore: ['SIGTERM', 'SIGINT'] }, { say: 'I stay' }, { silence: true }]),
    ],
  });
  const ended = await expectExit(1, scene.run());
  expect(storyOf(ended)).toEqual(['timed-out', '1 again counts', 'timed-out', '1 fail counts']);
  expect(factsOf(ended, 'clock-rang')[0]).toMatchObject({ clock: 'session', afterMs: 4_000 });
  expect(factsOf(ended, 'session-ended')[1]).toMatchObject({ outcome: 'timed-out', signal: 'SIGKILL' });
  await expectNoProcess(scene);
});

inSoak('drain: an agent that does not end has done its work all the same', async () => {
  await using scene = await makeNight({
    plan,
    env: { ...oneAttempt, SHORT_CLOCKS_MS: '{"drainMs":1000}' },
  });
  await wrapAgent(scene, (agent) => `${agent}\nexec sleep 31337`);
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['done', '1 proven']);
  expect(factsOf(ended, 'clock-rang')).toMatchObject([{ clock: 'drain' }]);
  await expectNoProcess(scene);
});

test('commit: a hook that hangs stops the run, keeps the work, and the next start closes it', async () => {
  await using scene = await makeNight({ plan, env: { ...oneAttempt, FIXED_COMMIT_MS: '2000' } });
  await scene.repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexec sleep 31337\n');
  const stopped = await expectExit(8, scene.run());
  expect(stopped.events.at(-1)).toMatchObject({
    reasons: [
      { code: 'hook', text: expect.stringContaining('took too long'), hint: expect.stringContaining('kept') },
    ],
  });
  expect(await scene.repo.read('a.txt')).toBe('a\n');
  await expectNoProcess(scene);
  await scene.repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 0\n');
  const again = await expectExit(0, scene.run());
  expect(storyOf(again)).toEqual(['1 proven']);
});
