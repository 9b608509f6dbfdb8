// Many kills in one repository: each life is killed at the first effect that no life was killed at before, until one goes
// through. What is tried is every effect, in O(effects) short lives.
import { readFile } from 'node:fs/promises';
import { preload } from '../helpers/night.ts';
import { type Ended, tell } from '../helpers/pawl.ts';
import { findDifferences, findProcesses, type Result } from './judge.ts';
import { commandOf } from './scenarios.ts';
import { makeList, type Stage, type Theatre } from './stage.ts';

export type ChainOptions = Readonly<{
  /** `0/2`: every second name. */
  shard: string;
  /** When the last life begins that is killed, on the clock of `performance`. */
  untilMs: number;
  /** Of each life in turn; default SIGKILL. */
  signals?: readonly Deadly[];
  /** Each task's effects are others, and all their moments are tried. */
  fine?: boolean;
  /** One kill in each copy, and nothing kills the life after it: what a difference comes from is certain. */
  strict?: boolean;
}>;

/** What a life is ended by. */
export type Deadly = 'SIGKILL' | keyof typeof exits;

const exits = { SIGINT: 130, SIGTERM: 143 } as const;

/** A chain of lives: the names of the effects they were killed at, in order, and what was not as it must be. */
export type Chain = Readonly<{ killed: readonly string[]; lives: number; differences: readonly string[] }>;

/** More lives than any run has effects. */
const most = 3_000;

/** Kills the scenario's command at every effect once, in as many copies as come to an end. */
export async function killEverywhere(
  theatre: Theatre,
  expected: Result,
  options: ChainOptions,
): Promise<Chain> {
  const differences: string[] = [];
  await using first = await theatre.copy();
  const file = await makeList(first, 'killed');
  let lives = 0;
  const isDue = () => performance.now() < options.untilMs && lives < most && differences.length === 0;
  for (let isWhole = false; !isWhole && isDue(); ) {
    await using stage = await theatre.copy();
    const found = await killUntilOver(stage, { ...options, file, lives });
    differences.push(...found.differences, ...(await findDifferences(stage, expected)));
    ({ lives, isWhole } = found);
  }
  return { killed: await namesIn(file), lives, differences };
}

/** `isWhole`: the last life was not killed at all. */
async function killUntilOver(
  stage: Stage,
  options: ChainOptions & Readonly<{ file: string; lives: number }>,
): Promise<{ lives: number; isWhole: boolean; differences: readonly string[] }> {
  const { signals = ['SIGKILL'], file } = options;
  const { scenario } = stage;
  const differences: string[] = [];
  for (let lives = options.lives + 1; ; lives += 1) {
    const signal = signals[lives % signals.length] ?? 'SIGKILL';
    const before = (await namesIn(file)).length;
    const isFree =
      performance.now() > options.untilMs || (options.strict === true && lives > options.lives + 1);
    const life = await stage.pawl(commandOf(scenario), isFree ? {} : deathOf(stage, options, signal));
    const name = (await namesIn(file))[before];
    for (const left of await findProcesses(stage)) differences.push(`after ${name}: still there: ${left}`);
    if (name === undefined) differences.push(...judgeLast(stage, life));
    else if (!endedBy(life, signal)) differences.push(`at ${name}: ${tell(life)}`);
    const isWhole = name === undefined && !isFree;
    if (name === undefined || lives >= most || differences.length > 0 || (await isOver(stage)))
      return { lives, isWhole, differences };
  }
}

/** What kills a life: the environment of the preload. */
function deathOf(
  { scenario }: Stage,
  { file, shard, fine }: ChainOptions & Readonly<{ file: string }>,
  signal: Deadly,
): Readonly<Record<string, string>> {
  return {
    ...preload('kill-at'),
    KILL_PAWL_ONCE: file,
    KILL_PAWL_SHARD: shard,
    KILL_PAWL_WITH: signal,
    ...(fine ? { KILL_PAWL_FINE: '1' } : {}),
    ...(scenario.only ? { KILL_PAWL_ONLY: scenario.only.source } : {}),
  };
}

/** True when there is nothing more to do, though a kill came after the last word. */
export async function isOver(stage: Stage): Promise<boolean> {
  return (await stage.journal()).some(stage.scenario.isLast ?? isFinish);
}

function isFinish({ type, finished }: Readonly<Record<string, unknown>>): boolean {
  return type === 'run-ended' && finished === true;
}

/** A signal that comes after the last word of a run changes nothing any more. */
function endedBy(life: Ended, signal: Deadly): boolean {
  if (signal === 'SIGKILL') return life.signal === 'SIGKILL';
  return life.exit === exits[signal] || (life.exit === 0 && life.signal === null);
}

function judgeLast({ scenario }: Stage, life: Ended): readonly string[] {
  return life.exit === (scenario.exit ?? 0) ? [] : [`the last life: ${tell(life)}`];
}

async function namesIn(file: string): Promise<readonly string[]> {
  return (await readFile(file, 'utf8')).split('\n').filter(Boolean);
}
