// Real programs that speak ACP as agents that do the work, on the scripted model: codex's server, and in a soak all that are
// in test/.agents (`node test/helpers/install-agents.mjs gemini opencode qwen claude-acp`). What comes after a turn is told
// elsewhere.
import { describe, expect, test, vi } from 'vitest';
import type { Turn } from '../../src/demo/script.ts';
import { acpCasts, acpServers, installedCasts, settingsOfServers } from '../helpers/acp-home.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, readStreams, storyOf, untilFile } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';

const work = ['done', '1 checked'];

describe.each(acpCasts)('%s', { timeout: 300_000 }, (cast) => {
  const inSoak = test.runIf(isSoak && installedCasts.includes(cast));
  const night = (turns: readonly Turn[], env = {}, letters = ['a']) =>
    makeNight({
      cast,
      plan: letterPlan(...letters),
      turns,
      env: { PAWL_TASK_ATTEMPTS: '1', ...env },
    });

  inSoak('three tasks, one of them with a correction in the same process', async () => {
    const turns = [...honest('a', 'c'), onTask('b', [write('x'), done]), { steps: [write('b'), done] }];
    await using scene = await night(turns, { PAWL_TASK_CORRECTIONS: '1' }, ['a', 'b', 'c']);
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
    expect(storyOf(ended)).toEqual([...work, '2 correct', 'done', '2 checked', 'done', '3 checked']);
    expect(await scene.repo.log()).toEqual(['Write c', 'Write b', 'Write a', 'start']);
    expect(factsOf(ended, 'session-started').map(({ agent }) => agent)).toEqual([cast, cast, cast]);
    await expectNoProcess(scene);
  });

  inSoak('pawl killed in the middle of a command leaves nothing, and the task is done after', async () => {
    await using scene = await night([
      onTask('a', [{ bash: 'echo half > half.txt; sleep 60' }], true),
      ...honest('a'),
    ]);
    const running = scene.startRun();
    await untilFile(scene, 'half.txt');
    await running.until('session-ready');
    await vi.waitFor(() => expect(readStreams(scene)).toContain('"tool_call'));
    running.child.kill('SIGKILL');
    await running.ended;
    await expectNoProcess(scene);
    const again = await scene.again();
    expect(again.exit, tell(again)).toBe(0);
    expect(storyOf(again)).toEqual(['crashed', '1 again', ...work]);
    const continues = cast === 'gemini' ? undefined : 1;
    expect(factsOf(again, 'session-started').map((started) => started.continues)).toEqual([continues]);
    await expectNoProcess(scene);
  });

  inSoak('a person steers the running turn', async () => {
    await using scene = await night([
      onTask('a', [{ bash: 'echo half > half.txt; sleep 60' }]),
      { when: 'the blue one', steps: [write('a'), done] },
    ]);
    const running = scene.startRun();
    await untilFile(scene, 'half.txt');
    expect((await scene.pawl('steer', '--now', 'Use the blue one.')).exit).toBe(0);
    const ended = await running.ended;
    expect(ended.exit, tell(ended)).toBe(0);
    expect(storyOf(ended)).toEqual(work);
    await expectNoProcess(scene);
  });
});

describe.each(acpServers)('$cast by its ACP server', { timeout: 120_000 }, ({ cast, isThere }) => {
  const played = test.runIf(isThere && (isSoak || cast === 'codex'));
  const night = async (turns: readonly Turn[], letters = ['a']) => {
    const scene = await makeNight({ cast, plan: letterPlan(...letters), turns, auth: 'oauth' });
    Object.assign(scene.env, { ...settingsOfServers(scene.env), PAWL_AGENT_NAME: `${cast}-acp` });
    return scene;
  };

  played('three tasks, one of them with a correction in the same process', async () => {
    const turns = [...honest('a', 'c'), onTask('b', [write('x'), done]), { steps: [write('b'), done] }];
    await using scene = await night(turns, ['a', 'b', 'c']);
    const ended = await scene.run('--set', 'task.corrections=1');
    expect(ended.exit, tell(ended)).toBe(0);
    expect(storyOf(ended)).toEqual([...work, '2 correct', 'done', '2 checked', 'done', '3 checked']);
    expect(factsOf(ended, 'session-ended').map(({ tokens }) => tokens?.output)).toEqual([40, 80, 40]);
    await expectNoProcess(scene);
  });

  test.runIf(isThere && isSoak)('a usage limit is told', async () => {
    const limit: Turn = onTask('a', [{ limit: { resetsInS: 3_600 } }], true);
    await using scene = await night([limit, ...honest('a')]);
    const ended = await scene.run('--set', 'limits.maxWait=1s');
    expect(ended.exit, tell(ended)).toBe(6);
    expect(storyOf(ended)).toEqual(['limited', '1 wait']);
    await expectNoProcess(scene);
  });
});
