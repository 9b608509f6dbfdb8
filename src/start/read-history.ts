// Reads how long the tasks and checks of this repository's earlier runs took, from their journals.

import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import { type TaskTook, tookOfTasks } from '../journal/estimate.ts';
import { listRuns, type RunFolder } from '../journal/folder.ts';
import { tallyRun } from '../journal/run-stats.ts';
import type { Plan } from '../plan/plan.ts';
import type { WidthLint } from '../plan/width/lint-width.ts';
import { findAloneFor } from '../work/must-be-alone.ts';
import { readRun, readWholeRun } from './find-run.ts';

/** How many of the newest runs are read: older ones had another repository, and other models. */
const mostRuns = 30;

/** The closed tasks of the last runs, newest run first; a run that cannot be read is skipped. */
export function readHistory(commonDir: string): readonly TaskTook[] {
  return listRuns(commonDir).slice(0, mostRuns).flatMap(tookIn);
}

/** Checks change: only the newest runs show how long one takes. */
const mostRunsOfChecks = 3;

/** How long each check took when it last ran after a session's work, milliseconds by its command. */
export function readCheckTimes(commonDir: string): ReadonlyMap<string, number> {
  const runs = listRuns(commonDir).slice(0, mostRunsOfChecks).reverse();
  return new Map(runs.flatMap((run) => checkTimesIn(run)));
}

function checkTimesIn(run: RunFolder): readonly (readonly [string, number])[] {
  try {
    return readWholeRun(run).facts.flatMap((fact) =>
      fact.type === 'check-ended' && fact.when === 'after' ? [[fact.command, fact.durationMs] as const] : [],
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}

function tookIn(run: RunFolder): readonly TaskTook[] {
  try {
    const state = readRun(run);
    return tookOfTasks(tallyRun(state), state);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}

/** Reads files and journals only if more than one task is wanted. */
export function judgeWidth(
  plan: Plan,
  { jobs, checks }: Pick<Config, 'jobs' | 'checks'>,
  place: Readonly<{ root: string; commonDir?: string }>,
): WidthLint {
  if (jobs < 2) return { jobs };
  const took = place.commonDir === undefined ? {} : { took: readCheckTimes(place.commonDir) };
  return { jobs, aloneFor: findAloneFor(place.root, plan, { checks }), ...took };
}
