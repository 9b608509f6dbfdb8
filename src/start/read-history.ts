// Reads how long the tasks of this repository's earlier runs took.

import { Failure } from '../failure.ts';
import { listRuns, type RunFolder } from '../journal/folder.ts';
import { type TaskTook, tookOfTasks } from '../journal/run-stats.ts';
import { readRun } from './find-run.ts';

/** Older runs had another state of the repository, and other models. */
const mostRuns = 30;

/** Newest run first; an unreadable run is skipped. */
export function readHistory(commonDir: string): readonly TaskTook[] {
  return listRuns(commonDir).slice(0, mostRuns).flatMap(tookIn);
}

function tookIn(run: RunFolder): readonly TaskTook[] {
  try {
    return tookOfTasks(readRun(run));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [];
  }
}
