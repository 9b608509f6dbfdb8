// `npm run soak`: kills pawl at every effect of every task and by signals, plays what `npm test` leaves out of stories and
// other tests, and kills pawl at random times; on two quiet cores in less than an hour. Options stand after `--`: `--seed 7`
// for the twelfth of effects and stories, and the random whiles, that had this seed; `--shard 3/8` for the fourth eighth
// instead: a long soak is stopped and gone on with, or spread over machines, shard by shard. `--minutes 30` for the most that
// killing everywhere, by signals and at random take each (10); what was not tried then is told. `--only
// everywhere|signals|stories|random`, `--scenario undo` for those with the word in their name, `--strict` for one kill in
// each repository and no second one after it. Its exit code is 1 when anything differs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../bench/measure.ts';
import { buildPawl } from '../helpers/built-pawl.ts';
import { scenarios as all, threeTasks } from './scenarios.ts';
import type { Scenario } from './stage.ts';
import { formatTried, tryEverything, tryRandomly } from './try.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    scenario: { type: 'string', default: '' },
    shard: { type: 'string' },
    strict: { type: 'boolean', default: false },
  },
});

await using _pawl = await buildPawl();
const chains = Math.max(1, availableParallelism());
const seed = Number(values.seed);
const { shard = `${seed % 12}/12`, strict } = values;
const scenarios = all.filter(({ name }) => name.includes(values.scenario));
process.stdout.write(`--seed ${seed} --shard ${shard}\n`);
let differences = 0;
const cut: string[] = [];

/** Plays a stage for each of its scenarios, which have its minutes in equal parts. */
async function playStage(
  name: string,
  ofStage: readonly Scenario[],
  play: (
    scenario: Scenario,
    untilMs: number,
    at: number,
  ) => Promise<{ differences: readonly string[]; told: string; isCut?: boolean }>,
): Promise<void> {
  if (values.only !== undefined && values.only !== name) return;
  const partMs = (Number(values.minutes) * 60_000) / ofStage.length;
  for (const [at, scenario] of ofStage.entries()) {
    const played = await play(scenario, performance.now() + partMs, at);
    process.stdout.write(`${played.told}\n`);
    differences += played.differences.length;
    if (played.isCut) cut.push(`${name} ${scenario.name}`);
  }
}

await playStage('everywhere', scenarios, async (scenario, untilMs) => {
  const tried = await tryEverything(scenario, { chains, shard, untilMs, fine: true, strict });
  return { ...tried, told: formatTried(tried) };
});
await playStage('signals', [threeTasks], async (scenario, untilMs) => {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const tried = await tryEverything(scenario, { chains, shard, untilMs, signals });
  return { ...tried, told: formatTried(tried) };
});
if (values.only === undefined || values.only === 'stories') differences += await playStories();
await playStage('random', scenarios, async (scenario, untilMs, at) => {
  const soaked = await tryRandomly(scenario, { chains, seed: seed + 1_000 * at, untilMs });
  const row = [`${soaked.kills} kills`, `${soaked.runs} runs`, `differences: ${soaked.differences.length}`];
  const rows = [row, ...soaked.differences.map((difference) => [difference])];
  return { ...soaked, told: formatTable(`Killed at random: ${scenario.name}, --seed ${seed}`, rows) };
});
if (cut.length > 0)
  process.stdout.write(`Not played to the end in --minutes ${values.minutes}: ${cut.join(', ')}\n`);
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
