// A plan's newest unfinished run. An unreadable run is reported, never skipped.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ReviewAsked } from '../../event/run.ts';
import type { WorkplaceFacts } from '../../git/place/workplace.ts';
import { findUnreadable, listRuns, type RunFolder } from '../../journal/folder.ts';
import { readIfSound, readState } from '../../journal/read-journal.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { branchName } from '../../plan/plan-name.ts';

export type UnfinishedRun = RunFolder & Readonly<{ state: RunState }>;

/** Of a plan, by its real path: an ignored one has its absolute path in other trees. */
export function findRunOf({ root, commonDir }: PlanHome, file: string): RunFolder | undefined {
  const names = [namePlan(root, file), file];
  return listRuns(commonDir).find(({ started }) => names.includes(started.plan) && !isAside(started));
}

type PlanHome = Readonly<{ root: string; commonDir: string }>;

/** Throws if a newer run of the plan cannot be read: it would silently be begun again. */
export function findOpenRun(home: PlanHome, file: string): UnfinishedRun | undefined {
  const newest = findRunOf(home, file);
  const damage = findUnreadable(home.commonDir, folderName(file), newest);
  if (damage) throw damage;
  return ifOpen(newest);
}

/** The plan's newer run, begun instead: the older one is never resumed. */
export function findNewer(
  runs: readonly RunFolder[],
  { run, started }: Pick<RunFolder, 'run' | 'started'>,
): RunFolder | undefined {
  if (isAside(started)) return undefined;
  const newest = runs.find((one) => one.started.plan === started.plan && !isAside(one.started));
  return newest?.run === run ? undefined : newest;
}

/** Only if it was asked for in the same way; a report, about the same commit. */
export function findOpenReview(
  runs: readonly RunFolder[],
  { branch = '', head }: Pick<WorkplaceFacts, 'branch' | 'head'>,
  asked: ReviewAsked,
): UnfinishedRun | undefined {
  const newest = runs.find(({ started }) => started.review && started.branch === branch);
  if (asked.reportOnly && newest?.started.base !== head) return undefined;
  return isDeepStrictEqual(newest?.started.review, asked) ? ifOpen(newest) : undefined;
}

export function findOpenDialogue(runs: readonly RunFolder[], id: string): UnfinishedRun | undefined {
  return ifOpen(runs.find(({ started, run }) => started.planning && run === id));
}

function ifOpen(run: RunFolder | undefined): UnfinishedRun | undefined {
  const state = run && readState(run.folder);
  return state && !isFinished(state) ? { ...run, state } : undefined;
}

/** Two plans with the same title get different branches. */
export function branchesOfOthers(runs: readonly RunFolder[], plan: PlanFile): ReadonlySet<string> {
  return new Set(runsOfOthers(runs, plan).map(({ started }) => started.branch));
}

export function wasMadeForOther(runs: readonly RunFolder[], branch: string, plan: PlanFile): boolean {
  const there = runsOfOthers(runs, plan).filter(({ started }) => started.branch === branch);
  return there.some(({ folder }) => readIfSound(folder)?.branchFrom !== undefined);
}

type PlanFile = Readonly<{ root: string; file: string }>;

function runsOfOthers(runs: readonly RunFolder[], { root, file }: PlanFile): readonly RunFolder[] {
  const names = [namePlan(root, file), file];
  return runs.filter(({ started }) => !names.includes(started.plan) && !isAside(started));
}

/** On no plan: ticks nothing, commits no task, and does not count as a plan's run. */
export function isAside({ review, planning }: Pick<RunFolder['started'], 'review' | 'planning'>): boolean {
  return review !== undefined || planning !== undefined;
}

/** What follows the time in a run folder's name. */
export function folderName(planFile: string): string {
  return branchName(planFile).replaceAll('/', '-');
}

/** Relative to the repository's root, or absolute if outside. */
export function namePlan(root: string, file: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}
