// Failures known from other tools, between the tool and its agent: what sub-agents
// of sub-agents cost, a session inside a session, work in the background, a prompt too long for an argument.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf, wrapAgent } from '../helpers/pawl.ts';
import { readRun } from '../helpers/story.ts';

/** A reply of the main agent costs 0.6 cents, one of its sub-agent 18, one of that one's sub-agent 4.2. */
const main: Step = { usage: { input: 1_000, output: 100 } };
const sub: Step = { usage: { input: 30_000, output: 3_000 } };
const deep: Step = { usage: { input: 7_000, output: 700 } };
/** Two replies each. */
const nested: readonly Step[] = [
  main,
  {
    subagent: [
      sub,
      { subagent: [deep, write('a'), { say: 'It is written.' }] },
      { say: 'My helper wrote it.' },
    ],
  },
];
const nestedUsd = 2 * (0.006 + 0.18 + 0.042);

test('claude, started inside a session that its own do not know (8): a prompt of 240 KB arrives (2), no command goes into the background (23), and what sub-agents of sub-agents cost is counted, also at Ctrl-C (24)', async () => {
  const hangs: Step = { bash: 'echo half > half.txt; tail -f /dev/null' };
  const filler = 'All of this is to be read. '.repeat(9_000);
  await using scene = await makeNight({
    cast: 'claude',
    plan: letterPlan('a', 'b', 'c').replace('- [ ] Write b', `${filler}\n\n- [ ] Write b`),
    env: {
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_SESSION_ID: 'outer',
      AI_AGENT: 'outer',
    },
    turns: [
      onTask('a', [...nested, done]),
      onTask('b', [{ bash: 'echo left > left.txt', background: true }, write('b'), done]),
      onTask('c', [main, { subagent: [sub, hangs] }, done]),
    ],
  });
  const names = '$CLAUDECODE$CLAUDE_CODE_ENTRYPOINT$CLAUDE_CODE_SESSION_ID$AI_AGENT';
  const isNested = `case "$*" in *stream-json*) [ -z "${names}" ] || exit 1;; esac`;
  await wrapAgent(scene, (agent) => `${isNested}\nexec ${agent}`);
  const ended = await expectExit(130, endAt(scene, 'half.txt', 'SIGINT'));
  expect(storyOf(ended)).toEqual(['done', '1 proven', 'done', '2 proven', 'interrupted', '3 stop']);
  const [first, second, third] = factsOf(ended, 'session-ended');
  expect(first).toMatchObject({
    costUsd: expect.closeTo(nestedUsd, 6),
    costAtLeast: false,
    tokens: { input: 76_000, output: 7_600, cacheRead: 0, cacheWrite: 0 },
  });
  expect(third?.costUsd).toBeCloseTo(0.186, 6);
  const costs = [first, second, third].map((session) => session?.costUsd ?? 0);
  expect(await readRun(scene)).toContain(`$${costs.reduce((sum, usd) => sum + usd).toFixed(2)}`);
  expect(factsOf(ended, 'turn-ended').filter(({ session }) => session === 2)).toHaveLength(1);
  expect(await scene.repo.exists('left.txt')).toBe(false);
  await expectNoProcess(scene);
});
