// Which run of a plan a start continues: the newest unfinished one. An unreadable run is reported, never skipped.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ReviewAsked } from '../../event/run.ts';
import { foldRun } from '../../journal/fold.ts';
import { findUnreadableRun, type RunFolder } from '../../journal/folder.ts';
import { findDamage, readIfSound, readJournal } from '../../journal/read-journal.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { branchName } from '../../plan/branch.ts';

export type UnfinishedRun = RunFolder & Readonly<{ state: RunState }>;

export function findOpenRun(runs: readonly RunFolder[], plan: string): UnfinishedRun | undefined {
  return ifOpen(runs.find(({ started }) => started.plan === plan && !isAside(started)));
}

/** Only if it was asked for in the same way. */
export function findOpenReview(
  runs: readonly RunFolder[],
  { branch, asked }: Readonly<{ branch: string; asked: ReviewAsked }>,
): UnfinishedRun | undefined {
  const newest = runs.find(({ started }) => started.review && started.branch === branch);
  return isDeepStrictEqual(newest?.started.review, asked) ? ifOpen(newest) : undefined;
}

export function findOpenDialogue(runs: readonly RunFolder[], id: string): UnfinishedRun | undefined {
  return ifOpen(runs.find(({ started, run }) => started.planning && run === id));
}

function ifOpen(run: RunFolder | undefined): UnfinishedRun | undefined {
  const state = run && foldRun(readJournal(run.folder));
  return state && !isFinished(state) ? { ...run, state } : undefined;
}

/**
 * The names that a plan may have in journals: an ignored plan is outside every tree but its own, where it is known by its
 * absolute path.
 */
export function namesOfPlan(root: string, file: string): readonly string[] {
  return [namePlan(root, file), file];
}

export function knownName(runs: readonly RunFolder[], root: string, file: string): string {
  const names = namesOfPlan(root, file);
  const newest = runs.find(({ started }) => names.includes(started.plan) && !isAside(started));
  return newest?.started.plan ?? namePlan(root, file);
}

/** Branches used by runs of other plans: two plans with the same title get different branches. */
export function branchesOfOthers(runs: readonly RunFolder[], plan: PlanFile): ReadonlySet<string> {
  return new Set(runsOfOthers(runs, plan).map(({ started }) => started.branch));
}

/** Whether a run of another plan made the branch: what this plan does is not meant for it. */
export function wasMadeForOther(runs: readonly RunFolder[], branch: string, plan: PlanFile): boolean {
  const there = runsOfOthers(runs, plan).filter(({ started }) => started.branch === branch);
  return there.some(({ folder }) => readIfSound(folder)?.branchFrom !== undefined);
}

type PlanFile = Readonly<{ root: string; file: string }>;

function runsOfOthers(runs: readonly RunFolder[], { root, file }: PlanFile): readonly RunFolder[] {
  const names = namesOfPlan(root, file);
  return runs.filter(({ started }) => !names.includes(started.plan) && !isAside(started));
}

/** Whether a run works on no plan: it ticks nothing, commits no task, and does not count as a run of a plan. */
export function isAside({ review, planning }: Pick<RunFolder['started'], 'review' | 'planning'>): boolean {
  return review !== undefined || planning !== undefined;
}

/** Throws if a newer run of the plan cannot be read: its plan would silently be begun again. */
export function refuseUnreadable(commonDir: string, planFile: string, open: RunFolder | undefined): void {
  const folder = findUnreadableRun(commonDir, folderName(planFile), open);
  const damage = folder === undefined ? undefined : findDamage(folder);
  if (damage) throw damage;
}

/** The part of a run folder's name that follows the time. */
export function folderName(planFile: string): string {
  return branchName(planFile).replaceAll('/', '-');
}

/** The plan's name in journal and messages: relative to the repository's root, or absolute if it is outside. */
export function namePlan(root: string, file: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}
