// Real programs as agents that do the work, on the scripted model: codex over its app server, and over ACP codex's own server
// and, in a soak, all that are in test/.agents (`node test/helpers/install-agents.mjs gemini opencode qwen`). What comes after
// a turn is told elsewhere.
import { describe, expect, test, vi } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { acpCasts, hasCodexServer, installedCasts, settingsOfCodexServer } from '../helpers/acp-home.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, readStreams, startTo, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak, isSoak } from '../helpers/share.ts';

const work = ['done', '1 proven'];
const programs = [
  ...acpCasts.map((cast) => ({ name: cast, cast, isThere: installedCasts.includes(cast) })),
  { name: 'acp', cast: 'codex', isThere: hasCodexServer } as const,
  { name: 'codex', cast: 'codex', isThere: true } as const,
];
/** Writes a file first, so that a test knows that it runs. */
const long = { bash: 'echo half > half.txt; sleep 60' };

describe.each(programs)('$name', ({ name, cast, isThere }) => {
  const played = test.runIf(isThere && (isSoak || cast === 'codex'));
  const killed = test.runIf(isThere && (isSoak || name === 'codex'));
  /** It takes a conversation up again. */
  const keeps = name !== 'gemini' && name !== 'acp';
  const night = async (turns: readonly Turn[], letters = ['a']) => {
    const env = { PAWL_TASK_ATTEMPTS: '1' };
    const scene = await makeNight({ cast, plan: letterPlan(...letters), turns, env, auth: 'oauth' });
    if (name === 'acp') Object.assign(scene.env, settingsOfCodexServer(scene.env));
    return scene;
  };

  played('two tasks, one of them with a correction in the same process', async () => {
    const turns = [...honest('a'), onTask('b', [write('x'), done]), { steps: [write('b'), done] }];
    await using scene = await night(turns, ['a', 'b']);
    const ended = await expectExit(0, scene.run('--set', 'task.corrections=1'));
    expect(storyOf(ended)).toEqual([...work, '2 correct', 'done', '2 proven']);
    expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
    expect(factsOf(ended, 'session-started').map(({ agent }) => agent)).toEqual([name, name]);
    await expectNoProcess(scene);
  });

  killed('pawl killed in the middle of a command leaves nothing, and the task is done after', async () => {
    await using scene = await night([onTask('a', [long], true), ...honest('a')]);
    const running = await startTo(scene, 'half.txt');
    const ready = await running.until('session-ready');
    const called = /"tool_call|"commandExecution"/;
    await vi.waitFor(() => expect(readStreams(scene)).toMatch(called), { timeout: 240_000 });
    running.child.kill('SIGKILL');
    await running.ended;
    await expectNoProcess(scene);
    const again = await expectExit(0, scene.again());
    expect(storyOf(again)).toEqual(['crashed', '1 again', ...work]);
    const continues = keeps ? 1 : undefined;
    expect(factsOf(again, 'session-started').map((started) => started.continues)).toEqual([continues]);
    const [{ agentSession } = ready] = factsOf(again, 'session-ready');
    expect(agentSession === ready.agentSession).toBe(keeps);
    await expectNoProcess(scene);
  });
});

const ofCodex = (turns: readonly Turn[]) =>
  makeNight({ cast: 'codex', plan: letterPlan('a'), turns, env: { PAWL_TASK_ATTEMPTS: '1' } });

inSoak('codex: a usage limit is waited for until its own reset, and the thread is gone on with', async () => {
  await using scene = await ofCodex([
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

inSoak('codex: a person steers the running turn, which goes on', async () => {
  await using scene = await ofCodex([
    onTask('a', [{ bash: 'echo half > half.txt; sleep 3' }, { say: 'Nothing else.' }]),
    { when: 'Use the blue one', steps: [write('a'), done] },
  ]);
  const running = await startTo(scene, 'half.txt');
  await expectExit(0, scene.pawl('steer', '--now', 'Use the blue one.'));
  const ended = await expectExit(0, running.ended);
  expect(storyOf(ended)).toEqual(work);
  expect(factsOf(ended, 'turn-ended')).toHaveLength(1);
});

inSoak.each([
  { status: 401, exit: 7, story: ['refused', '1 stop'] },
  { status: 529, exit: 0, story: ['overloaded', '1 wait', 'waiting overload', 'waited', ...work] },
])('codex: HTTP $status is told by its type', async ({ status, exit, story }) => {
  await using scene = await ofCodex([onTask('a', [{ api: { status } }], true), ...honest('a')]);
  expect(storyOf(await expectExit(exit, scene.run()))).toEqual(story);
});
