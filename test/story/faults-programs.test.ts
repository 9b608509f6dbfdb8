// What pawl stands on goes away while it runs: the agent's program, git, the folder for temporary files, the user's home,
// who reads its output, the terminal.
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { done, honest, lettersDone, onTask } from '../helpers/letters.ts';
import { expectNoProcess, faultAt, makeNight, resultOf, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

describe.concurrent('goes away', () => {
  inSoak('the agent’s program for a moment, as an update does: it is waited for', async () => {
    await using scene = await makeNight({ env: { FIXED_BACKOFF_MS: '8000' } });
    const agent = scene.env['PAWL_AGENT_CLAUDE_COMMAND'];
    const replace = `mv ${agent} ${agent}.old; (sleep 4; mv ${agent}.old ${agent}) > /dev/null 2>&1 &`;
    Object.assign(scene.env, faultAt('journal task-closed#1', replace));
    const ended = await expectExit(0, scene.run());
    expect(factsOf(ended, 'waiting').map(({ why }) => why)).toContain('crash');
    expect(factsOf(ended, 'round-ended').filter(({ counts }) => counts)).toEqual([]);
    expect(await resultOf(scene)).toMatchObject(lettersDone);
  });

  inSoak(
    'the folder for temporary files and the home, from the start: the run needs neither, and says what it could not keep',
    async () => {
      const put = (letter: string) => ({ write: { file: `${letter}.txt`, content: `${letter}\n` } });
      await using scene = await makeNight({
        turns: [onTask('a', [put('a'), done]), onTask('b', [put('b'), done])],
        env: { TMPDIR: '/nonexistent/tmp', XDG_STATE_HOME: '/proc/nowhere', XDG_CACHE_HOME: '/proc/nowhere' },
      });
      const ended = await expectExit(0, scene.run());
      expect(ended.stderr).toContain('Your consent could not be saved, so the next run asks again');
      expect(await resultOf(scene)).toMatchObject(lettersDone);
    },
  );

  inSoak('who reads its output, in the middle of a run: it goes on to its end', async () => {
    await using scene = await makeNight();
    const running = scene.startRun();
    await running.until('task-closed');
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    expect((await running.ended).exit).toBe(0);
    expect(await resultOf(scene)).toMatchObject(lettersDone);
  });

  test('the terminal, in the middle of a session: it is ended and resumable', async () => {
    await using scene = await makeNight({
      turns: [onTask('a', [{ bash: 'echo half > half.txt; sleep 60' }], true), ...honest('a', 'b')],
    });
    const command = `exec '${process.execPath}' '${builtFile('main')}' run docs/plans/plan.md --trust`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: scene.repo.path,
      env: { ...scene.env, SHELL: '/bin/sh' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await untilFile(scene, 'half.txt');
    terminal.kill('SIGKILL');
    await expectNoProcess(scene);
    const last = (await readRun(scene, 'journal.ndjson')).trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ type: 'run-ended', exit: 129 });
    expect(await scene.repo.read('half.txt')).toBe('half\n');
    await expectExit(0, scene.again());
    expect(await resultOf(scene)).toMatchObject(lettersDone);
  });
});
