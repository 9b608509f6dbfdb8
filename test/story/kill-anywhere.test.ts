// `kill -9` of pawl at every durable effect, before it and in the middle of it, in this life and in those that take it up
// again, signals at every fact, and kills at random times: tree, plan, commits, money and processes are those of a run
// that nobody killed. `npm run soak` tries more.
import { expect, test } from 'vitest';
import { scenarios, threeTasks } from '../soak/scenarios.ts';
import { tryEverything, tryRandomly, wordTried } from '../soak/try.ts';

const slow = { timeout: 600_000 };

test.each(scenarios)('killed at every effect: $name', slow, async (scenario) => {
  const tried = await tryEverything(scenario, { chains: 2 });
  process.stdout.write(`${wordTried(tried)}\n`);
  expect(tried.differences, wordTried(tried)).toEqual([]);
  for (const kind of ['journal', 'git', 'file'])
    expect(tried.killed.some((name) => name.includes(`: ${kind} `))).toBe(true);
});

test('ended by a signal at every fact', slow, async () => {
  const scenario = { ...threeTasks, only: /^(?!restart).*: journal .*@before$/ };
  const tried = await tryEverything(scenario, { chains: 2, signals: ['SIGTERM', 'SIGINT', 'SIGHUP'] });
  process.stdout.write(`${wordTried(tried)}\n`);
  expect(tried.differences, wordTried(tried)).toEqual([]);
});

test('killed at random times', slow, async () => {
  const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
  const soaked = await tryRandomly(threeTasks, { chains: 2, seed, forMs: 40_000 });
  process.stdout.write(`Killed at random: ${soaked.kills} kills in ${soaked.runs} runs, seed ${seed}\n`);
  expect(soaked.differences).toEqual([]);
});
