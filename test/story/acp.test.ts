// Real programs that speak ACP as agents that do the work, on the scripted model: codex's server, and in a soak all that are
// in test/.agents (`node test/helpers/install-agents.mjs gemini opencode qwen`). What comes after a turn is told
// elsewhere.
import { describe, expect, test, vi } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { acpCasts, hasCodexServer, installedCasts, settingsOfCodexServer } from '../helpers/acp-home.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, readStreams, storyOf, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';

const work = ['done', '1 proven'];
const programs = [
  ...acpCasts.map((cast) => ({ name: cast, cast, isThere: installedCasts.includes(cast) })),
  { name: 'acp', cast: 'codex', isThere: hasCodexServer } as const,
];
/** Writes a file first, so that a test knows that it runs. */
const long = { bash: 'echo half > half.txt; sleep 60' };

describe.each(programs)('$name', ({ name, cast, isThere }) => {
  const played = test.runIf(isThere && (isSoak || name === 'acp'));
  const inSoak = test.runIf(isThere && isSoak);
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

  inSoak('pawl killed in the middle of a command leaves nothing, and the task is done after', async () => {
    await using scene = await night([onTask('a', [long], true), ...honest('a')]);
    const running = scene.startRun();
    await untilFile(scene, 'half.txt');
    const ready = await running.until('session-ready');
    await vi.waitFor(() => expect(readStreams(scene)).toContain('"tool_call'), {
      timeout: 240_000,
    });
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
