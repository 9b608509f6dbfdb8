// How long pawl takes to start: `--version`, and `run` up to the agent's first instruction, against an empty node.
import { spawnSync } from 'node:child_process';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { makeLeanAgent } from './lean-agent.ts';
import {
  formatNumber,
  formatSpread,
  formatTable,
  repeat,
  type Size,
  type Spread,
  spreadOf,
  timeOf,
} from './measure.ts';
import { planOf } from './task-time.ts';
import { makePlace, runTimed } from './timed-run.ts';

const sizes = { whole: { times: 15, runs: 7 }, smallest: { times: 1, runs: 1 } };

/** Starts each a number of times, in turn, so that all see the same machine. */
export async function measureStart(pawl: BuiltPawl, size: Size): Promise<string> {
  const { times, runs } = sizes[size];
  const node = (...args: readonly string[]) =>
    timeOf(() => spawnSync(process.execPath, [...args], { stdio: 'ignore' }));
  await node(pawl.command, '--version');
  const rounds = await repeat(times, async () => [
    await node('-e', '0'),
    await node(pawl.command, '--version'),
    await node(pawl.command, 'status', '--line'),
  ]);
  const [empty, version, line] = [0, 1, 2].map((at) =>
    spreadOf(rounds.map((round) => round[at] ?? Number.NaN)),
  );
  if (!empty || !version || !line) throw new Error('no rounds');
  // What Node compiled, as a user has it after the first start.
  using cache = makeTempFolder();
  const env = { XDG_CACHE_HOME: cache.path };
  await firstSpawn(pawl, env);
  const spawns = await repeat(runs, async () => [await firstSpawn(pawl, env), await firstSpawn(pawl)]);
  const [first, cold] = [0, 1].map((at) => spreadOf(spawns.map((round) => round[at] ?? Number.NaN)));
  if (!first || !cold) throw new Error('no runs');
  const ratio = (spread: Spread) => `${formatNumber(spread.median / empty.median)} ×`;
  return formatTable(`Start, ms, ${times} and ${runs} times`, [
    ['node -e 0', formatSpread(empty)],
    ['pawl --version', formatSpread(version), ratio(version), 'aim ≤ 1.5 ×'],
    ['pawl status --line', formatSpread(line), ratio(line), 'aim ≤ 60 ms; in a repository without a run'],
    [
      'pawl run',
      formatSpread(first),
      ratio(first),
      'aim ≤ 400 ms; a new run, up to the agent’s first instruction',
    ],
    ['its first ever', formatSpread(cold), ratio(cold), 'with nothing compiled before'],
  ]);
}

async function firstSpawn(pawl: BuiltPawl, env: Readonly<Record<string, string>> = {}): Promise<number> {
  using agent = makeLeanAgent();
  await using place = await makePlace({ plan: planOf(1), agent: agent.command, files: 500, env });
  const run = await runTimed(pawl.command, place);
  const [life] = agent.lives();
  return (life?.beganMs ?? Number.NaN) - run.startedMs;
}
