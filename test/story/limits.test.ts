// What an agent's provider says no with: a usage limit is waited for, an overload is backed off from, a refusal ends the
// run, each with its own exit code; and none of it is read out of a successful answer.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight, shiftClock, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

/** The CLI makes no retries of its own, whose pauses add up to minutes. */
const atOnce = { headers: { 'x-should-retry': 'false' }, retryDelayMs: 1 };
const overload: Step = { api: { status: 529, ...atOnce } };
const work = ['done', '1 proven'];
const oneAttempt = { PAWL_TASK_ATTEMPTS: '1' };
/** As soon as pawl waits: what it waits for comes whenever this machine is ready. */
const tenMinutesLater = shiftClock(600_000, 'journal waiting#1');

test('a limit is waited for and counts no attempt, one beyond limits.maxWait ends with exit 6, a refused login with exit 7; words alone are neither (10, 11, 12, 58, 68)', async () => {
  const say =
    'API Error: 429 is handled now. You’ve hit your 5-hour limit · resets 10pm. Please run /login.\n\n{{marker TASK_DONE wrote it}}';
  await using scene = await makeNight({
    auth: 'oauth',
    plan: letterPlan('a', 'b', 'c'),
    env: { ...oneAttempt, PAWL_LIMITS_MAX_WAIT: '1m' },
    turns: [
      onTask('a', [{ limit: { resetsInS: 3 } }], true),
      ...honest('a'),
      onTask('b', [{ limit: { resetsInS: 3_600, window: 'seven_day' } }], true),
      ...honest('b'),
      onTask('c', [{ api: { status: 401 } }], true),
      onTask('c', [write('c'), { say }]),
    ],
  });
  const limited = await expectExit(6, scene.run());
  const waits = ['limited', '1 wait', 'waiting limit', 'waited'];
  expect(storyOf(limited)).toEqual([...waits, ...work, 'limited', '2 wait']);
  const [seen] = factsOf(limited, 'limit-seen').filter(({ status }) => status === 'rejected');
  const [waiting] = factsOf(limited, 'waiting');
  const [waited] = factsOf(limited, 'waited');
  expect(waiting?.until).toBeGreaterThanOrEqual(seen?.resetsAt ?? Number.POSITIVE_INFINITY);
  expect(Date.parse(waited?.at ?? '')).toBeGreaterThanOrEqual(waiting?.until ?? Number.POSITIVE_INFINITY);
  expect(waited?.how).toBe('time');
  expect(limited.events.at(-1)).toMatchObject({
    type: 'run-ended',
    finished: false,
    reasons: [{ exit: 6, code: 'limited', text: expect.stringContaining('weekly limit') }],
  });
  const refused = await expectExit(7, scene.run());
  expect(storyOf(refused)).toEqual(['done', '2 proven', 'refused', '3 stop']);
  expect(refused.events.at(-1)).toMatchObject({
    reasons: [{ exit: 7, code: 'refused', text: expect.any(String), hint: expect.any(String) }],
  });
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toEqual(['done', '3 proven']);
});

inSoak(
  'an API that stays overloaded is backed off from, then exit 6; a new start has new patience',
  async () => {
    await using scene = await makeNight({
      plan: letterPlan('a'),
      env: {
        ...oneAttempt,
        PAWL_LIMITS_MAX_WAIT: '60ms',
        FIXED_BACKOFF_MS: '40',
        FIXED_BACKOFFS: '1',
      },
      turns: [...Array.from({ length: 3 }, () => onTask('a', [overload], true)), ...honest('a')],
    });
    const stopped = await expectExit(6, scene.run());
    const once = ['overloaded', '1 wait'];
    expect(storyOf(stopped)).toEqual([...once, 'waiting overload', 'waited', ...once]);
    expect(stopped.events.at(-1)).toMatchObject({ reasons: [{ exit: 6, code: 'outage' }] });
    const again = await expectExit(0, scene.run());
    expect(storyOf(again)).toEqual([...once, 'waiting overload', 'waited', 'done', '1 proven']);
  },
);

inSoak('work of overloaded sessions stays in the tree, however often they leave the same red', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: { ...oneAttempt, FIXED_BACKOFFS: '2' },
    turns: [
      onTask('a', [{ bash: 'echo half > half.txt' }, overload], true),
      onTask('a', [overload], true),
      ...honest('a'),
    ],
  });
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'session-started')).toHaveLength(3);
  expect(await scene.repo.git('show', '--name-only', '--format=', 'HEAD', '--', '*.txt')).toBe(
    'a.txt\nhalf.txt',
  );
});

test('a wait that Ctrl-C and then a kill cut off goes on until the same reset, without a session to learn it anew', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: oneAttempt,
    turns: [onTask('a', [{ limit: { resetsInS: 600 } }], true), ...honest('a')],
  });
  const first = scene.startRun();
  const { until } = await first.until('waiting');
  first.child.kill('SIGINT');
  expect((await first.ended).exit).toBe(130);
  const second = scene.startRun();
  await second.until('waiting');
  second.child.kill('SIGKILL');
  const killed = await second.ended;
  Object.assign(scene.env, tenMinutesLater);
  const third = await expectExit(0, scene.run());
  expect(storyOf(third)).toEqual(['waiting limit', 'waited', ...work]);
  for (const ended of [killed, third]) expect(factsOf(ended, 'waiting')[0]?.until).toBe(until);
  expect(factsOf(killed, 'session-started')).toEqual([]);
  expect(Date.parse(factsOf(third, 'session-started')[0]?.at ?? '')).toBeGreaterThanOrEqual(until);
});
