// `npm run soak`: kills pawl at every effect of every task, plays what `npm test` leaves out of stories and other tests, and
// kills pawl at random times. Options stand after `--`: `--only everywhere|signals|stories|random`, `--scenario undo` for
// those with the word in their name, `--minutes 30` for how long at random (2), `--seed 7` for the same whiles again,
// `--strict` for one kill in each repository and no second one after it. `--shard 3/8` tries the fourth eighth: a long soak
// is stopped and gone on with, or spread over machines, shard by shard. Its exit code is 1 when anything differs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../bench/measure.ts';
import { buildPawl } from '../helpers/built-pawl.ts';
import { scenarios as all, threeTasks } from './scenarios.ts';
import { formatTried, tryEverything, tryRandomly } from './try.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    scenario: { type: 'string', default: '' },
    shard: { type: 'string', default: '0/1' },
    strict: { type: 'boolean', default: false },
  },
});

await using _pawl = await buildPawl();
const chains = Math.max(1, availableParallelism());
const seed = Number(values.seed);
const { shard, strict } = values;
const scenarios = all.filter(({ name }) => name.includes(values.scenario));
let differences = 0;

if (values.only === undefined || values.only === 'everywhere') {
  for (const scenario of scenarios) {
    const tried = await tryEverything(scenario, { chains, shard, fine: true, strict });
    process.stdout.write(`${formatTried(tried)}\n`);
    differences += tried.differences.length;
  }
}
if (values.only === undefined || values.only === 'signals') {
  const tried = await tryEverything(threeTasks, { chains, shard, signals: ['SIGINT', 'SIGTERM', 'SIGHUP'] });
  process.stdout.write(`${formatTried(tried)}\n`);
  differences += tried.differences.length;
}
if (values.only === undefined || values.only === 'stories') differences += await playStories();
if (values.only === undefined || values.only === 'random') {
  for (const [at, scenario] of scenarios.entries()) {
    const forMs = (Number(values.minutes) * 60_000) / scenarios.length;
    const soaked = await tryRandomly(scenario, { chains, seed: seed + 1_000 * at, forMs });
    const rows = [
      [`${soaked.kills} kills`, `${soaked.runs} runs`, `differences: ${soaked.differences.length}`],
    ];
    const lines = soaked.differences.map((difference) => [difference]);
    process.stdout.write(
      `${formatTable(`Killed at random: ${scenario.name}, --seed ${seed}`, [...rows, ...lines])}\n`,
    );
    differences += soaked.differences.length;
  }
}
process.exitCode = differences === 0 ? 0 : 1;

/** Plays a shard of the test files of which `npm test` leaves something out, whole; 1 when a test fails. */
async function playStories(): Promise<number> {
  const root = path.resolve(import.meta.dirname, '../..');
  const [at = 0, of = 1] = shard.split('/').map(Number);
  const files = globSync('test/*/**/*.test.ts', { cwd: root, exclude: ['test/.agents/**'] })
    .filter((file) => readFileSync(path.join(root, file), 'utf8').includes('helpers/share.ts'))
    .sort()
    .filter((_, index) => index % of === at);
  if (files.length === 0) return 0;
  const args = ['run', '--config', 'test/vitest.config.ts', ...files];
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, SOAK: '1' };
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'inherit' });
  const [exit] = await once(child, 'close');
  return exit === 0 ? 0 : 1;
}
