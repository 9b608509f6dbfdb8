// Budgets in whole runs: what stops at which cap, what of the work is kept, and how a person goes on.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight, storyOf, untilFile } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

/** A reply that costs a dollar. */
const dollar: Step = { usage: { input: 0, output: 50_000 } };
const free: Step = { usage: { input: 0, output: 0 } };
const paid = (letter: string, once = false) => onTask(letter, [dollar, write(letter), free, done], once);
const often = { SHORT_CLOCKS_MS: '{"costEveryMs":200}' };

/** The reason a run ended for. */
function reasonOf(ended: Ended) {
  return factsOf(ended, 'run-ended').at(-1)?.reasons;
}

const reached = (ended: Ended) =>
  factsOf(ended, 'budget-reached').map(({ budget, share }) => `${budget} ${share}`);

describe('a cap in dollars', () => {
  test('keeps what is done, begins nothing more, holds over restarts, and a person’s new word goes on', async () => {
    await using scene = await makeNight({
      plan: letterPlan('a', 'b', 'c'),
      turns: [paid('a'), paid('b'), paid('c')],
    });
    const stopped = await expectExit(5, scene.run('--max-cost', '1.5'));
    expect(storyOf(stopped)).toEqual(['done', '1 proven', 'done', '2 proven']);
    expect(factsOf(stopped, 'session-started').map(({ maxCostUsd }) => maxCostUsd)).toEqual([1.5, 0.5]);
    expect(reached(stopped)).toEqual(['cost 1']);
    const spent = {
      exit: 5,
      code: 'budget',
      text: '$2.00 of $1.50 are spent (--max-cost)',
      hint: '`pawl run --max-cost 3 docs/plans/plan.md` raises the cap and continues.',
    };
    expect(reasonOf(stopped)).toEqual([spent]);
    const again = await expectExit(5, scene.run());
    expect(storyOf(again)).toEqual([]);
    expect(reasonOf(again)).toEqual([spent]);
    expect(reached(again)).toEqual([]);
    const raised = await expectExit(0, scene.run('--max-cost', '3.5'));
    expect(storyOf(raised)).toEqual(['done', '3 proven']);
    expect(reached(raised)).toEqual(['cost 0.8']);
    const { stdout } = await scene.pawl('stats', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'finished',
      tasks: { closed: 3 },
      attempts: 3,
      corrections: 0,
      spent: { sessions: 3, costUsd: 3, atLeast: false },
      times: { atWork: expect.any(Number) },
      interventions: [{ kind: 'rerun' }, { kind: 'rerun' }],
    });
  });

  test('a session that outlasts a cap in time, or passes one in the middle of a turn, is ended; its work stays', async () => {
    await using scene = await makeNight({
      plan: letterPlan('a'),
      env: often,
      turns: [
        onTask('a', [free, { hang: true }], true),
        onTask('a', [dollar, { bash: 'echo half > a.txt' }, free, { hang: true }], true),
        ...honest('a'),
      ],
    });
    const late = await expectExit(5, scene.run('--max-time', '6s'));
    expect(storyOf(late)).toEqual(['over-budget', '1 stop']);
    expect(reasonOf(late)?.[0]?.hint).toMatch(/pawl run --max-time \d+s docs\/plans\/plan.md/);
    const stopped = await expectExit(5, scene.run('--max-time', '1h', '--max-cost', '0.5'));
    expect(storyOf(stopped)).toEqual(['over-budget', '1 stop']);
    expect(await scene.repo.read('a.txt')).toBe('half\n');
    const raised = await expectExit(0, scene.run('--max-cost', '2'));
    expect(factsOf(raised, 'attempt-started').map(({ attempt }) => attempt)).toEqual([3]);
  });

  test('a cap in time holds while a note waits to be heard', async () => {
    await using scene = await makeNight({ plan: letterPlan('a'), turns: [] });
    const deaf = path.join(scene.home, 'deaf');
    await writeFile(deaf, '#!/bin/sh\necho > .git/started\nexec sleep 60\n', { mode: 0o755 });
    const running = scene.startRun('--max-time', '5s', '--set', `agent.claude.command=${deaf}`);
    await untilFile(scene, '.git/started');
    await expectExit(0, scene.pawl('steer', '--now', 'Use the blue one.'));
    expect(storyOf(await expectExit(5, running.ended))).toEqual(['over-budget', '1 stop']);
  });

  inSoak('side by side, whose part is spent waits for what others hold', async () => {
    const letters = ['a', 'b'];
    // A conversation without a context is none to go on with.
    const big: Step = { usage: { input: 0, output: 50_000, cacheRead: 100 } };
    const cheap = onTask('a', [
      free,
      { bash: 'until ls "$HOME/go"; do sleep 0.1; done' },
      write('a'),
      free,
      done,
    ]);
    await using scene = await makeNight({
      plan: letterPlan(...letters).replaceAll('- check', '- depends: none\n- check'),
      cast: 'claude',
      turns: [
        cheap,
        onTask('b', [big, { bash: 'echo b > half.txt' }, big, { bash: ':' }], true),
        { when: 'You were cut off', steps: [free, write('b'), done] },
      ],
    });
    const running = scene.startRun('--jobs', '2', '--max-cost', '3.5');
    await running.until('noticed');
    await writeFile(path.join(scene.home, 'go'), '');
    const ended = await expectExit(0, running.ended);
    const handed = factsOf(ended, 'session-started').map(({ task, maxCostUsd = 0 }) => ({
      task,
      maxCostUsd,
    }));
    const first = handed.slice(0, 2).toSorted((one, other) => Number(one.task) - Number(other.task));
    expect(first).toEqual(['1', '2'].map((task) => ({ task, maxCostUsd: 1.75 })));
    // What is left, or half of it where the first task is still being committed.
    expect(handed[2]?.task).toBe('2');
    expect(['0.750', '1.500']).toContain(handed[2]?.maxCostUsd?.toFixed(3));
    expect(factsOf(ended, 'round-ended').filter(({ task }) => task === '2')[0]).toMatchObject({
      verdict: 'again',
      reason: expect.stringContaining('its part of the money is spent'),
    });
    expect(factsOf(ended, 'noticed').map(({ code }) => code)).toEqual(['share']);
    const sessions = factsOf(ended, 'session-started');
    const cutOff = sessions.slice(0, 2).find(({ task }) => task === '2');
    expect(sessions.map(({ continues }) => continues)).toEqual([undefined, undefined, cutOff?.session]);
  });

  inSoak('work that was proved when it was passed is committed', async () => {
    await using scene = await makeNight({
      plan: letterPlan('a'),
      env: often,
      turns: [onTask('a', [dollar, write('a'), free, { hang: true }])],
    });
    const ended = await expectExit(0, scene.run('--max-cost', '0.5'));
    expect(storyOf(ended)).toEqual(['over-budget', '1 proven']);
  });
});

test('a cap of the day counts all runs of the repository', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    files: { 'docs/plans/other.md': letterPlan('b', 'c') },
    env: { PAWL_BUDGETS_DAY: '1.5', FIXED_KEPT_RUNS: '1' },
    turns: [paid('a'), paid('b'), paid('c')],
  });
  await expectExit(0, scene.run());
  // The run that paid is now older than those that are kept; its dollars are of today all the same.
  expect((await scene.run()).exit).toBe(0);
  const second = await expectExit(5, scene.pawl('run', 'docs/plans/other.md', '--json'));
  expect(storyOf(second)).toEqual(['done', '1 proven']);
  expect(reasonOf(second)).toMatchObject([
    {
      text: '$2.00 of $1.50 of the day are spent (PAWL_BUDGETS_DAY)',
      hint: expect.stringContaining('Tomorrow `pawl run docs/plans/other.md` continues by itself.'),
    },
  ]);
});

test('an agent that does not report what a cap is counted in is refused before anything starts', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    env: { PAWL_AGENT_NAME: 'script', PAWL_AGENT_SCRIPT_COMMAND: 'true' },
    turns: [],
  });
  const refused = await expectExit(2, scene.run('--max-cost', '5'));
  expect(refused.stderr).toContain(
    'budgets.maxCost (--max-cost) cannot be enforced: the agent script does not report what it costs',
  );
  expect(await scene.repo.git('branch', '--format=%(refname:short)')).toBe('main');
});

inSoak('the real CLI ends at the cap it was handed, and goes on with another', async () => {
  await using scene = await makeNight({
    cast: 'claude',
    plan: letterPlan('a'),
    turns: [
      onTask('a', [{ bash: 'true' }, dollar, { bash: 'true' }, write('a'), done], true),
      ...honest('a'),
    ],
  });
  const stopped = await expectExit(5, scene.run('--max-cost', '0.5'));
  expect(storyOf(stopped)).toEqual(['over-budget', '1 stop']);
  await expectExit(0, scene.run('--max-cost', '20'));
});
