// Kills a scenario everywhere or at random, in several copies side by side, and compares with a run that nobody kills.
import { formatTable } from '../bench/measure.ts';
import { tell } from '../helpers/pawl.ts';
import { type ChainOptions, killEverywhere } from './chain.ts';
import { type Result, readResult } from './judge.ts';
import { killAtRandom, type Soaked } from './random.ts';
import { commandOf } from './scenarios.ts';
import { openTheatre, type Scenario, type Theatre } from './stage.ts';

/** What was tried: names of effects that a life was killed at, lives that there were, differences. */
export type Tried = Readonly<{
  scenario: string;
  killed: readonly string[];
  lives: number;
  differences: readonly string[];
  ms: number;
  /** Its time was over before every effect was tried. */
  isCut: boolean;
}>;

/** Kills a scenario's command at every effect, or at those of one shard, in so many chains side by side. */
export async function tryEverything(
  scenario: Scenario,
  options: ChainOptions & Readonly<{ chains: number }>,
): Promise<Tried> {
  const since = performance.now();
  using theatre = await openTheatre(scenario);
  const { expected } = await leaveAlone(theatre, scenario);
  const chains = await settleAll(
    splitShard(options.shard, options.chains).map((shard) =>
      killEverywhere(theatre, expected, { ...options, shard }),
    ),
  );
  const [signal = 'SIGKILL', ...more] = options.signals ?? [];
  const killed = chains.flatMap((chain) => chain.killed);
  const differences = chains.flatMap((chain) => chain.differences);
  return {
    scenario: `${scenario.name}, ${[signal, ...more].join(', ')}`,
    killed,
    lives: chains.reduce((sum, { lives }) => sum + lives, 0),
    // What kills nothing has tried nothing.
    differences: killed.length > 0 ? differences : [...differences, 'no effect was found to kill it at'],
    ms: performance.now() - since,
    isCut: performance.now() > options.untilMs,
  };
}

/** A shard in equal parts: `1/3` in two is `1/6` and `4/6`. */
function splitShard(shard: string, parts: number): readonly string[] {
  const [at = 0, of = 1] = shard.split('/').map(Number);
  return Array.from({ length: parts }, (_, part) => `${at + part * of}/${of * parts}`);
}

/** Kills a scenario's command at random times for a while, or until there were so many kills. */
export async function tryRandomly(
  scenario: Scenario,
  { chains, seed, untilMs }: Readonly<{ chains: number; seed: number; untilMs: number }>,
): Promise<Soaked> {
  using theatre = await openTheatre(scenario);
  const { expected, wholeMs } = await leaveAlone(theatre, scenario);
  const soaked = await settleAll(
    Array.from({ length: chains }, (_, at) =>
      killAtRandom(theatre, expected, { seed: seed + at, untilMs, wholeMs }),
    ),
  );
  return {
    runs: soaked.reduce((sum, { runs }) => sum + runs, 0),
    kills: soaked.reduce((sum, { kills }) => sum + kills, 0),
    differences: soaked.flatMap(({ differences }) => differences),
  };
}

/** The scenario where nobody is killed. */
async function leaveAlone(
  theatre: Theatre,
  scenario: Scenario,
): Promise<{ expected: Result; wholeMs: number }> {
  await using stage = await theatre.copy();
  const since = performance.now();
  const life = await stage.pawl(commandOf(scenario));
  if (life.exit !== (scenario.exit ?? 0)) throw new Error(`nobody killed it: ${tell(life)}`);
  return { expected: await readResult(stage), wholeMs: performance.now() - since };
}

/** All results, once all are over: what one throws must not take the repositories away from the others. */
async function settleAll<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Kills, and what came of them. */
export function formatTried({ scenario, killed, lives, differences, ms, isCut }: Tried): string {
  const perLife = `${lives} lives of ${Math.round(ms / lives)} ms`;
  const row = [`${killed.length} killed`, `differences: ${differences.length}`];
  const cut = isCut ? ['Its minutes were over: not every effect was tried.'] : [];
  const headline = `Killed everywhere: ${scenario}: ${perLife}`;
  return [formatTable(headline, [row]), ...cut, ...differences].join('\n');
}
