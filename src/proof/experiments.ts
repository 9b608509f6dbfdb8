// The experiments over a change: cheap and hard ones first, single hunks last.
import { type Change, classOf } from './change.ts';
import { CutShort, type Lab, openLab, type Trials } from './lab.ts';
import type { Experiments } from './task-proof.ts';
import { tryConfigs, tryOldTests } from './try-definitions.ts';
import { tryHunks } from './try-hunks.ts';
import { sourcesOf, testsOf, tryComment, tryGarbage, tryWithoutWork } from './try-tests.ts';

export type ExperimentOptions = Readonly<{
  /** A check of its own was red before: perhaps not by this work. */
  turnedGreen?: boolean;
  isRefactoring?: boolean;
  isQuick?: boolean;
  /** For single hunks, in ms, whatever the checks take. */
  mostMs?: number;
}>;

const [times, tenMinutes, fiveMinutes] = [8, 10 * 60_000, 5 * 60_000];

/** If the checks are red on the work itself, nothing else runs. */
export async function experiment(
  change: Change,
  trials: Trials,
  options: ExperimentOptions = {},
): Promise<Experiments> {
  const lab = openLab(trials);
  let found: Experiments = { ...nothing };
  const note = (part: Partial<Experiments>): void => {
    found = { ...found, ...part };
  };
  try {
    await experimentIn(lab, { change, trials, options, note });
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
    note({ stopped: 'interrupted' });
  }
  return { ...(found.clean === 'flaky' ? { ...nothing, clean: 'flaky' } : found), ...lab.account() };
}

type Task = Readonly<{
  change: Change;
  trials: Trials;
  options: ExperimentOptions;
  note: (part: Partial<Experiments>) => void;
}>;

async function experimentIn(lab: Lab, task: Task): Promise<void> {
  const { change, note, options } = task;
  const first = await lab.run('the work in a clean ground', new Map());
  note({ clean: first.result === 'green' ? 'green' : 'red' });
  if (first.result !== 'green') return;
  lab.limit(3 * first.durationMs + 5000);
  note({ configs: await tryConfigs(change, lab) });
  if (!options.isQuick) await tryTests(lab, { ...task, checksMs: first.durationMs });
  const { runs } = lab.account();
  // Red before and red without it: no flake.
  if (runs === 1 || (runs === 2 && options.turnedGreen)) return;
  const last = await lab.again('the work in a clean ground, once more');
  if (last.result !== 'green') note({ clean: 'flaky' });
}

async function tryTests(
  lab: Lab,
  { change, trials, options, note, checksMs }: Task & Readonly<{ checksMs: number }>,
): Promise<void> {
  note({ redefined: await tryOldTests(change, lab) });
  if (testsOf(change).length > 0) {
    note({ deaf: await tryGarbage(change, lab) });
    note({ pinsText: await tryComment(change, lab) });
  }
  let isMissed = true;
  if (!options.isRefactoring) {
    const without = await tryWithoutWork(change, lab, options);
    note(without);
    isMissed =
      without.withoutWork === 'red' || (options.turnedGreen === true && without.withoutWork === 'not-tried');
  }
  // Where nothing misses all of it, nothing misses a part.
  if (!isMissed || !sourcesOf(change).some((file) => classOf(change, file) === 'source')) return;
  if (checksMs > fiveMinutes) {
    note({ stopped: 'the checks take over five minutes: no hunks tried' });
    return;
  }
  const end = trials.elapsedMs() + (options.mostMs ?? Math.min(times * checksMs, tenMinutes));
  const hunks = await tryHunks(change, lab, () => trials.elapsedMs() < end);
  note({ hunks, ...(hunks.untried > 0 ? { stopped: `stopped at ${times} × the checks` } : {}) });
}

const nothing: Experiments = {
  clean: 'not-tried',
  configs: [],
  redefined: [],
  deaf: [],
  pinsText: false,
  withoutWork: 'not-tried',
  indifferent: [],
  hunks: { lines: 0, provenLines: 0, unproven: [], onlyRemoving: 0, withoutCode: 0, untried: 0 },
  runs: 0,
  durationMs: 0,
};
