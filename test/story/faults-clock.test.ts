// Clocks that lie and machines that sleep: the system's clock is set back or forward by hours, pawl and its agent are frozen
// for longer than their clocks. Nothing rings, nothing is negative, no run is taken for an older one.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { done, honest, letterPlan, lettersDone, onTask, write } from '../helpers/letters.ts';
import { makeNight, pidsOf, resultOf, shiftClock, startTo, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const hours = 3 * 60 * 60 * 1000;

describe.concurrent('a clock', () => {
  test.each(
    share(
      [
        ['set forward', hours],
        ['set back', -hours],
      ],
      2,
    ),
  )('%s in the middle of a run: it goes on, and no duration is negative', async (_name, ms) => {
    await using scene = await makeNight({
      env: { ...shiftClock(ms, 'journal session-ended#1'), PAWL_BUDGETS_MAX_TIME: '2h' },
    });
    const ended = await expectExit(0, scene.run());
    expect(await resultOf(scene)).toMatchObject(lettersDone);
    const said =
      (await readRun(scene)) + (await scene.pawl('status')).stdout + (await scene.pawl('report')).stdout;
    expect(said).not.toMatch(/-\d+(\.\d+)?\s?(ms|s|m|min|h)\b/);
    for (const fact of ended.events) {
      if ('durationMs' in fact) expect(fact.durationMs).toBeGreaterThanOrEqual(0);
    }
  });

  inSoak('set back between two runs of a plan: the newer one is the one that goes on', async () => {
    await using scene = await makeNight({ plan: letterPlan('a'), env: shiftClock(hours) });
    expect((await scene.run()).exit).toBe(0);
    await scene.repo.write('docs/plans/plan.md', letterPlan('a', 'b', 'c').replace('[ ]', '[x]'));
    await scene.again('--max-tasks', '1');
    const again = await expectExit(0, scene.again());
    expect(factsOf(again, 'run-resumed')).toHaveLength(1);
    const folder = path.join(scene.repo.path, '.git/pawl/runs');
    const runs = (await readdir(folder)).sort();
    expect(runs).toHaveLength(2);
    const journal = await readFile(path.join(folder, runs[1] ?? '', 'journal.ndjson'), 'utf8');
    expect(journal).toContain(JSON.stringify(factsOf(again, 'run-ended')[0]?.at));
    expect(JSON.parse((await scene.pawl('status', '--json')).stdout)).toMatchObject({ run: runs[1] });
  });

  inSoak('set back during a wait for a limit: the wait takes no longer than was planned', async () => {
    await using scene = await makeNight({
      plan: letterPlan('a'),
      turns: [onTask('a', [{ limit: { resetsInS: 3 } }], true), ...honest('a')],
      env: shiftClock(-hours, 'journal waiting#1'),
    });
    const ended = await expectExit(0, scene.run());
    expect(storyOf(ended)).toContain('waiting limit');
  });
});

test('pawl and its agent are frozen for longer than every clock: none rings', async () => {
  const clocks = {
    ...{ PAWL_CLOCKS_SILENCE: '4s', PAWL_CLOCKS_SESSION: '4s' },
    ...{ FIXED_FIRST_EVENT_MS: '4000', FIXED_API_MS: '4000', FIXED_TOOL_MS: '4000' },
  };
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [onTask('a', [{ bash: 'touch .git/at-work; sleep 1' }, write('a'), done])],
    env: clocks,
  });
  const running = await startTo(scene, '.git/at-work');
  const frozen = pidsOf(scene);
  expect(frozen.length).toBeGreaterThan(1);
  for (const pid of frozen) signal(pid, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT');
  const ended = await expectExit(0, running.ended);
  expect(factsOf(ended, 'clock-rang')).toEqual([]);
  expect(storyOf(ended)).toEqual(['done', '1 proven']);
});

/** Whoever ended since it was seen, as the command that has made its file, is passed over. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}
