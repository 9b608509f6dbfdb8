// Nights in which sessions crash, hang or say nothing: each ends by a named clock or outcome, its work stays in the tree
// and closes nothing by itself, and the next session is told.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, storyOf } from '../helpers/night.ts';
import { asidesOf, type Cast, expectExit, factsOf, wrapAgent } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const half: Step = { bash: 'echo half > half.txt' };
const plan = letterPlan('a');
/** Green from the first session's half of the work on: its checks could not tell that it is not finished. */
const looseplan = plan
  .replace('- check: `grep -qx a a.txt`\n', '')
  .replace('### Task', '## Validation Commands\n- `test -f README.md`\n\n### Task');

/** How a session that was ended by a clock is told to the next one. */
const toldOfClock = /ended by its clock(.|\n)*still in the tree/;

inSoak(
  'claude: a model that never answers is ended by clocks.silence, one that is killed is a crash, a command that never ends is ended by the CLI itself: their work stays, closes nothing, and the next session is told',
  async () => {
    await using scene = await makeNight({
      cast: 'claude',
      plan: looseplan,
      // The CLI has nine tenths of the tool clock: the last tenth must be enough for it to say so, on a busy machine too.
      env: { PAWL_CLOCKS_SILENCE: '6s', FIXED_TOOL_MS: '15000' },
      turns: [
        onTask('a', [half, { hang: true }], true),
        onTask('a', [{ bash: 'echo more > more.txt' }, { kill: 'SIGKILL' }], true),
        onTask('a', [{ bash: 'tail -f /dev/null' }, { bash: 'echo a > a.txt' }, done]),
      ],
    });
    const ended = await expectExit(0, scene.run());
    expect(storyOf(ended)).toEqual([
      ...['timed-out', '1 again counts'],
      ...['crashed', '1 wait counts', 'waiting crash', 'waited'],
      ...['done', '1 passed'],
    ]);
    expect(factsOf(ended, 'clock-rang')).toMatchObject([{ session: 1, clock: 'silence' }]);
    expect(await readRun(scene, 'sessions/002.prompt.md')).toMatch(toldOfClock);
    expect(await readRun(scene, 'sessions/003.prompt.md')).toMatch(/SIGKILL(.|\n)*still in the tree/);
    expect(await scene.repo.log()).toEqual(['Write a', 'start']);
    const files = await scene.repo.git('show', '--name-only', '--format=', 'HEAD', '--', '*.txt');
    expect(files).toBe('a.txt\nhalf.txt\nmore.txt');
    await expectNoProcess(scene);
  },
);

test.each<
  Readonly<{
    name: string;
    cast: Cast;
    steps: readonly Step[];
    env: Readonly<Record<string, string>>;
    clock: string;
  }>
>(
  share(
    [
      {
        name: 'a tool call that never ends',
        cast: 'scripted',
        steps: [half, { subagent: [{ hang: true }] }],
        env: { FIXED_TOOL_MS: '2000' },
        clock: 'tool',
      },
      {
        name: 'a model that goes silent in the middle of an answer',
        cast: 'claude',
        steps: [half, { say: 'I begin' }, { silence: true }],
        env: { FIXED_API_MS: '6000' },
        clock: 'api',
      },
    ],
    2,
  ),
)(
  '$cast: $name is ended by clocks.$clock, and the next session is told',
  async ({ cast, steps, env, clock }) => {
    await using scene = await makeNight({
      cast,
      plan: looseplan,
      env,
      turns: [onTask('a', steps, true), ...honest('a')],
    });
    const ended = await expectExit(0, scene.run());
    expect(storyOf(ended)).toEqual(['timed-out', '1 again counts', 'done', '1 passed']);
    expect(factsOf(ended, 'clock-rang')).toMatchObject([{ session: 1, clock }]);
    expect(await readRun(scene, 'sessions/002.prompt.md')).toMatch(toldOfClock);
    expect(await scene.repo.log()).toEqual(['Write a', 'start']);
    expect(await scene.repo.read('half.txt')).toBe('half\n');
    await expectNoProcess(scene);
  },
);

inSoak(
  'a session that hung after work which a red check of its own proves is closed by that check',
  async () => {
    await using scene = await makeNight({
      plan,
      env: { PAWL_CLOCKS_SILENCE: '2s' },
      turns: [onTask('a', [{ bash: 'echo a > a.txt' }, { hang: true }])],
    });
    const ended = await expectExit(0, scene.run());
    expect(storyOf(ended)).toEqual(['timed-out', '1 proven']);
    expect(factsOf(ended, 'task-closed')[0]?.reason).toContain('did not finish');
  },
);

test('a program that never speaks is ended, and the setting for such programs is named (8)', async () => {
  await using scene = await makeNight({
    plan,
    turns: [],
    env: { FIXED_FIRST_EVENT_MS: '1000', PAWL_TASK_ATTEMPTS: '1' },
  });
  await wrapAgent(scene, () => 'exec sleep 31337');
  const ended = await expectExit(1, scene.run());
  expect(storyOf(ended)).toEqual(['timed-out', '1 fail counts']);
  expect(asidesOf(ended, 'failed')[0]?.reason).toMatch(/ended by its clock.*agent\.claude\.input/);
  await expectNoProcess(scene);
});
