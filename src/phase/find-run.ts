// Which run of a plan a start means: the newest one that is not finished. One that cannot be read is named, never passed
// over; it reads journals and changes nothing.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { findUnreadableRun, type RunFolder } from '../journal/folder.ts';
import { findDamage, readJournal } from '../journal/journal.ts';
import { foldRun } from '../journal/state.ts';
import { branchName } from '../plan/branch.ts';

/** The newest unfinished run of a plan. */
export function findOpenRun(runs: readonly RunFolder[], plan: string): RunFolder | undefined {
  const newest = runs.find(({ started }) => started.plan === plan);
  return newest && !isFinished(newest) ? newest : undefined;
}

function isFinished(run: RunFolder): boolean {
  const state = foldRun(readJournal(run.folder));
  return state?.undoing === undefined && (state?.ended?.finished ?? false);
}

/** One that cannot be read is nobody's to remove. */
export function isSurelyFinished(run: RunFolder): boolean {
  try {
    return isFinished(run);
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Whether a run belongs to a queue: it tells the same command that its plan is done. */
export function isOfQueue(run: RunFolder, queue: string | undefined): boolean {
  return queue !== undefined && foldRun(readJournal(run.folder))?.queue?.queue === queue;
}

/** Throws what is wrong with a newer run of the plan that cannot be read: it would be begun again without a word. */
export function refuseUnreadable(commonDir: string, planFile: string, open: RunFolder | undefined): void {
  const folder = findUnreadableRun(commonDir, folderName(planFile), open);
  const damage = folder === undefined ? undefined : findDamage(folder);
  if (damage) throw damage;
}

/** What a run's folder is named after, beside the time. */
export function folderName(planFile: string): string {
  return branchName(planFile).replaceAll('/', '-');
}

/** The plan's name in journal and messages: relative to the repository's root, or absolute when it lies outside. */
export function namePlan(root: string, file: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}
