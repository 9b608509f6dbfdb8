// A lane catches up with the branch: its work is merged with what landed since, as trees, and the lane becomes the merged tree
// on the branch's head. Announced first, and gone through with after a kill.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { listCommits } from '../../git/commit/history.ts';
import { conflictMarks, mergeTrees } from '../../git/lane/merge-trees.ts';
import { readHeadCommit, type Snapshot, takeSnapshot } from '../../git/protect/snapshot.ts';
import { readRef } from '../../git/run/head.ts';
import { splitNul } from '../../git/run/names.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { isClosed } from '../../plan/plan.ts';
import { readDefinitionsAt } from '../../work/edits/definition-edits.ts';
import { findWork } from '../../work/kind/fix.ts';
import { type PlanSnapshot, readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import type { CaughtUp, WorkPlace } from '../../work/ports.ts';
import { writeKeptPlan, writeKeptSnapshot } from '../../work/run-files.ts';
import { checksOf, landedChecks, stateOf, type Work } from '../../work/work.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { formatMerged } from './judge-landing.ts';
import { moveLane } from './move-lane.ts';

/** The two trees of a catch-up: the run's own, and the lane. */
type Between = Readonly<{ trunk: Place; lane: WorkPlace }>;

/** Brings work onto the branch's head; undefined: the plan there has the task no more, or as done. */
export async function catchUp(
  { trunk, lane }: Between,
  work: Work,
  { tree }: Pick<WrittenTree, 'tree'>,
): Promise<CaughtUp | undefined> {
  const head = await headOf(trunk);
  const from = await readHeadCommit(lane.repo);
  if (head === from) {
    const unmerged = await findMarks(lane, work, tree);
    return { work, unmerged, told: unmerged.length > 0 ? formatMerged(pastOf(lane, work)) : '' };
  }
  const { run } = trunk;
  const commits = await listCommits(trunk.repo, from, head);
  const landed = [...new Set(commits.flatMap((commit) => (commit.run === run.id ? commit.task : [])))];
  const merge = await mergeTrees(lane.repo, { base: from, head, work: tree });
  const announced: FactOf<'lane-catching-up'> = {
    type: 'lane-catching-up',
    lane: lane.lane?.number ?? 0,
    task: work.task.id,
    from,
    onto: head,
    tree,
    merged: merge.tree,
    conflicts: [...merge.conflicts],
    landed,
  };
  lane.run.emit(announced);
  const { planSnapshot, before } = await goThrough({ trunk, lane }, announced);
  const now = findWork(lane, planSnapshot, work.task.id);
  if (!now || isClosed(now.task)) return undefined;
  const unmerged = merge.conflicts.length === 0 ? [] : formatConflicts(merge.conflicts, merge.told);
  return { work: now, before, unmerged, told: formatMerged({ landed, conflicts: merge.conflicts }) };
}

function pastOf(lane: Place, work: Work) {
  const { landed = [], conflicts = [] } = stateOf(lane, work.task);
  return { landed, conflicts };
}

/** The branch's head. */
export async function headOf(trunk: Place): Promise<string> {
  const { branch } = trunk.run.state().started;
  const head = await readRef(trunk.repo, `refs/heads/${branch}`);
  if (head !== undefined) return head;
  throw new Failure('git', `the run works on ${branch}, but that branch is gone`, {
    hint: `Recreate it with \`git switch -c ${branch} ${trunk.run.state().lastHead ?? ''}\`, and run the same command again.`,
  });
}

/** Does what a catch-up has announced; what a restart needs is kept before it is told as done. */
export async function goThrough(
  { trunk, lane }: Between,
  { lane: number, task, onto, tree, merged, conflicts, landed }: FactOf<'lane-catching-up'>,
): Promise<Readonly<{ planSnapshot: PlanSnapshot; before: Snapshot }>> {
  const reason = `task ${task} before it was merged with ${onto.slice(0, 12)}`;
  await moveLane(lane, { known: tree, tree: merged, commit: onto, reason });
  givePlan(trunk, lane);
  const planSnapshot = readPlanSnapshot(lane);
  const before = await takeSnapshot(lane.repo);
  writeKeptSnapshot(lane, before);
  writeKeptPlan(lane, planSnapshot.text);
  const now = planSnapshot.plan.tasks.find(({ id }) => id === task);
  const known = checksOf(lane, planSnapshot, now);
  const checks = [...known, ...landedChecks(planSnapshot, landed, known)];
  lane.run.emit({
    type: 'lane-caught-up',
    lane: number,
    task,
    commit: onto,
    tree: (await lane.repo.git(['rev-parse', `${onto}^{tree}`])).trim(),
    merged,
    conflicts,
    landed,
    definitions: [...(await readDefinitionsAt(lane, onto, checks))],
  });
  return { planSnapshot, before };
}

/** A plan that is in no commit is a copy in the lane. */
export function givePlan(trunk: Place, lane: Place): void {
  if (trunk.plan.tracked || !existsSync(trunk.plan.file)) return;
  makeFolder(path.dirname(lane.plan.file));
  writeFileAtomic(lane.plan.file, readText(trunk.plan.file));
}

function formatConflicts(files: readonly string[], told: readonly string[]): readonly string[] {
  return [...files.map((file) => `${file}: changed on both sides`), ...told];
}

/** Files that still hold the marks of a conflict, in words; nothing where there was none. */
async function findMarks(lane: Place, work: Work, tree: string): Promise<readonly string[]> {
  const { conflicts = [] } = stateOf(lane, work.task);
  if (conflicts.length === 0) return [];
  const marks = conflictMarks.flatMap((mark) => ['-e', mark]);
  const found = await lane.repo.bytes(['grep', '-l', '-z', '-F', ...marks, tree, '--'], { okCodes: [0, 1] });
  return splitNul(found).map(
    (name) => `${name.slice(name.indexOf(':') + 1)}: still holds marks of a conflict`,
  );
}
