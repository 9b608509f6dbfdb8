// Kills at random times: each life of a run is killed after a random while until the run is over, then those of another.
// The whiles come from a seed; what they hit is the machine's affair too.
import { type Ended, tell } from '../helpers/pawl.ts';
import { isOver } from './chain.ts';
import { findDifferences, findProcesses, type Result } from './judge.ts';
import { commandOf } from './scenarios.ts';
import type { Stage, Theatre } from './stage.ts';

/** What came of it: runs that came to their end, lives that were killed, what was not as it must be. */
export type Soaked = Readonly<{ runs: number; kills: number; differences: readonly string[] }>;

/** When to begin no other run, and what the whiles are made of. */
export type SoakOptions = Readonly<{
  seed: number;
  /** On the clock of `performance`. */
  untilMs: number;
  /** How long a run takes that nobody kills. */
  wholeMs: number;
}>;

/** How much longer than the last one a life of the same run may be: after forty lives it is ten times the first. */
const patience = 1.06;

/** Kills at random times until the time is over. */
export async function killAtRandom(
  theatre: Theatre,
  expected: Result,
  { seed, untilMs, wholeMs }: SoakOptions,
): Promise<Soaked> {
  const random = randomOf(seed);
  let [runs, kills] = [0, 0];
  const differences: string[] = [];
  while (performance.now() < untilMs && differences.length === 0) {
    await using stage = await theatre.copy();
    let mostMs = wholeMs / 3;
    for (let isDone = false; !isDone; ) {
      const life = await liveFor(stage, random() * mostMs);
      const isKilled = life.signal === 'SIGKILL';
      kills += isKilled ? 1 : 0;
      // On a machine that has become slower a life would get nowhere, and its run never to its end.
      mostMs *= patience;
      for (const left of await findProcesses(stage)) differences.push(`still there: ${left}`);
      if (!isKilled && life.exit !== (stage.scenario.exit ?? 0)) differences.push(tell(life));
      isDone = !isKilled || differences.length > 0 || (await isOver(stage));
    }
    differences.push(...(await findDifferences(stage, expected)));
    runs += 1;
  }
  return { runs, kills, differences: differences.map((text) => `seed ${seed}, run ${runs}: ${text}`) };
}

async function liveFor(stage: Stage, ms: number): Promise<Ended> {
  const { child, ended } = stage.start(commandOf(stage.scenario));
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  return ended.finally(() => clearTimeout(timer));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
