// `kill -9` of pawl at random times, hundreds of them; the seed is printed, and `SOAK_SEED` gives it again. `npm run soak`
// tries more.
import { expect, test } from 'vitest';
import { threeTasks } from '../soak/scenarios.ts';
import { tryRandomly } from '../soak/try.ts';

test('killed at random times', { timeout: 900_000 }, async () => {
  const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
  const soaked = await tryRandomly(threeTasks, { chains: 3, seed, forMs: 90_000, kills: 200 });
  process.stdout.write(`Killed at random: ${soaked.kills} kills in ${soaked.runs} runs, seed ${seed}\n`);
  expect(soaked.differences).toEqual([]);
  expect(soaked.kills).toBeGreaterThan(0);
});
