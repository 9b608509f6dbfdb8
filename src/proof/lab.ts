// Runs variants of a work, each different tree once.
import type { Variant } from '../git/tree/vary.ts';
import type { CountedCheck } from './judge-counts.ts';

/** `output`: of the red check. */
export type TrialEnd = Readonly<{
  result: 'green' | 'red' | 'hung';
  durationMs: number;
  output: string;
  checks?: readonly CountedCheck[];
}>;

/**
 * `all`: until one is not green. `tests`: so of those that ran tests on the work, and of the task's own, if there are
 * any: a linter's red misses nothing. `each`: of these all.
 */
export type TriedBy = 'all' | 'tests' | 'each';

export type Trials = Readonly<{
  /** Id of the work's tree with these files in it. */
  write(variant: Variant): Promise<string>;
  /** Undefined: interrupted. */
  run(
    tree: string,
    trial: Readonly<{ what: string; limitMs?: number | undefined; by?: TriedBy }>,
  ): Promise<TrialEnd | undefined>;
}>;

/** Experiments cannot go on; what is known so far stays. */
export class CutShort extends Error {}

export type Lab = Readonly<{
  run(what: string, variant: Variant): Promise<TrialEnd>;
  /** A hang is red: what loops for ever is not green. */
  isRed(what: string, variant: Variant): Promise<boolean>;
  /** The same, tried otherwise. */
  by(by: TriedBy): Lab;
  /** Runs the work once more, whatever is remembered. */
  again(what: string): Promise<TrialEnd>;
  /** By what the work took. */
  limitBy(ms: number): void;
  /** Another run may begin for so long. */
  allow(ms: number): void;
  hasTime(): boolean;
  account(): Readonly<{ runs: number; durationMs: number }>;
}>;

const longMs = 5 * 60_000;

export function openLab(trials: Trials): Lab {
  const known = new Map<string, TrialEnd>();
  let [runs, durationMs, mayTakeLong] = [0, 0, true];
  let limitMs: number | undefined;
  let endMs = Number.POSITIVE_INFINITY;
  const limitBy = (ms: number): void => {
    limitMs = Math.max(limitMs ?? 0, 3 * ms + 5000);
  };
  const runOnce = async (tree: string, trial: Parameters<Trials['run']>[1]): Promise<TrialEnd> => {
    const end = await trials.run(tree, trial);
    if (!end) throw new CutShort();
    runs += 1;
    durationMs += end.durationMs;
    return end;
  };
  const runTree = async (what: string, tree: string, by: TriedBy): Promise<TrialEnd> => {
    let end = await runOnce(tree, { what, limitMs, by });
    // A cache may have known the work alone: what ends after all tells how long others may take.
    if (end.result === 'hung' && limitMs !== undefined && mayTakeLong) {
      const more = { what: `${what}, with more time`, limitMs: Math.max(10 * limitMs, longMs), by };
      end = await runOnce(tree, more);
      mayTakeLong = end.result !== 'hung';
      if (mayTakeLong) limitBy(end.durationMs);
    }
    known.set(`${by} ${tree}`, end);
    return end;
  };
  const labBy = (by: TriedBy): Lab => {
    const run = async (what: string, variant: Variant): Promise<TrialEnd> => {
      const tree = await trials.write(variant);
      return known.get(`${by} ${tree}`) ?? (await runTree(what, tree, by));
    };
    return {
      run,
      isRed: async (what, variant) => (await run(what, variant)).result !== 'green',
      by: labBy,
      again: async (what) => runTree(what, await trials.write(new Map()), by),
      limitBy,
      allow: (ms) => {
        endMs = durationMs + ms;
        mayTakeLong = false;
      },
      hasTime: () => durationMs < endMs,
      account: () => ({ runs, durationMs }),
    };
  };
  return labBy('all');
}

/** Code did not load, which says less than a failing assertion. */
export function isLoadError({ output }: Pick<TrialEnd, 'output'>): boolean {
  const text = output.replaceAll(/\u001b\[[0-9;]*m/g, '');
  if (/\bAssert(?:ion)?Error\b|--- FAIL/.test(text)) return false;
  return /ImportError|fixture '[^']*' not found|ModuleNotFoundError|IndentationError|SyntaxError|NameError|ReferenceError|AttributeError|errors? during collection|Cannot find (?:module|name)|Failed to (?:load|resolve)|does not provide an export|is not (?:defined|a function)|\[(?:build|setup) failed\]|Transform failed|undefined: |has no attribute|cannot find (?:value|function|type)/.test(
    text,
  );
}
