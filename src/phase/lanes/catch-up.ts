// Merges a lane's work, as trees, with what landed, onto the branch's head: announced first, and completed after a
// kill. And what the lane's tree still shows of conflicts.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import type { FactOf } from '../../event.ts';
import { conflictMarks, isStandIn, mergeTrees } from '../../git/lane/merge-trees.ts';
import { type Snapshot, takeSnapshot } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { keepTree, type WrittenTree } from '../../git/tree/tree.ts';
import type { LaneWork } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanFile } from '../../plan/file.ts';
import { isClosed, type Plan, saysSame } from '../../plan/plan.ts';
import { shellWord } from '../../shell-word.ts';
import { findWork } from '../../work/kind/fix.ts';
import type { CaughtUp, WorkPlace } from '../../work/landing.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { writeKeptPlan, writeKeptSnapshot } from '../../work/restart-files.ts';
import { stateOf, type Work } from '../../work/work.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { moveLane, readIncoming, soundHeadOf } from './branch.ts';
import type { Lanes } from './lanes.ts';

/** Undefined if the plan there lacks the task, has it as done, or has changed it. */
export async function catchUp(
  lanes: Lanes,
  lane: WorkPlace,
  work: Work,
  { tree }: Pick<WrittenTree, 'tree'>,
): Promise<CaughtUp | undefined> {
  const { trunk } = lanes;
  const head = await soundHeadOf(lanes);
  const from = work.start.commit;
  const { lane: past } = stateOf(lane, work.task);
  if (head === from) {
    const found = await findConflicts(lane, work, { tree });
    return { work, ...found, told: past && found.unmerged.length > 0 ? formatMerged(past) : '' };
  }
  const { landed, isRewritten } = await readIncoming(trunk, from, head);
  // By the attributes of the branch's tree: no rule that the work itself sets decides how it is merged.
  const byBranch = lane.repo.at(trunk.repo.root, lane.repo);
  const merge = await mergeTrees(byBranch, { base: from, head, work: tree, isRewritten });
  const announced: FactOf<'lane-catching-up'> = {
    type: 'lane',
    state: 'catching-up',
    lane: lane.lane?.number ?? 0,
    task: work.task.id,
    from,
    onto: head,
    tree,
    merged: merge.tree,
    conflicts: [...merge.conflicts],
    clashes: merge.clashes.map((files) => [...files]),
    landed: [...landed],
  };
  lane.run.emit(announced);
  // A merge without conflicts contains all of the work.
  const isKnown = merge.conflicts.length === 0;
  const { plan, before } = await completeCatchUp({ trunk, lane }, announced, isKnown);
  const now = findWork(lane, plan, work.task.id);
  if (!now || isClosed(now.task) || !saysSame(now.task, work.task)) return undefined;
  const found = await findConflicts(lane, now, { tree: merge.tree, fresh: merge.conflicts });
  const unmerged = [...new Set([...found.unmerged, ...merge.told])];
  return { work: now, before, ...found, unmerged, told: formatMerged(announced) };
}

/** Saves what a restart needs, then reports. `isKnown`: the lane is exactly as announced, so nothing can be lost. */
export async function completeCatchUp(
  { trunk, lane }: Readonly<{ trunk: Place; lane: WorkPlace }>,
  announced: FactOf<'lane-catching-up'>,
  isKnown = false,
): Promise<Readonly<{ plan: Plan; before: Snapshot }>> {
  const { lane: number, task, from, onto, tree, merged, conflicts } = announced;
  const reason = `task ${task} before it was merged with ${onto.slice(0, 12)}`;
  if (conflicts.length > 0)
    await keepTree(lane.repo, lane.run.state().started.run, tree, `tree-${tree.slice(0, 12)}`);
  await moveLane(lane, { known: tree, tree: merged, commit: onto, reason }, isKnown ? from : undefined);
  givePlan(trunk, lane);
  const plan = readPlanAt(lane);
  const before = await takeSnapshot(lane.repo);
  writeKeptSnapshot(lane, before);
  writeKeptPlan(lane, plan.text);
  const start = await bringStart(lane, announced);
  lane.run.emit({ type: 'lane', state: 'caught-up', lane: number, task, tree: start });
  return { plan, before };
}

/** The start's tree, merged with what landed. What a person gave to the task is left out only on a conflict. */
async function bringStart(
  { repo, run }: Place,
  { task, from, onto }: FactOf<'lane-catching-up'>,
): Promise<string> {
  const tree = run.state().tasks.get(task)?.start?.tree ?? '';
  const [was, is = ''] = (await repo.git(['rev-parse', `${from}^{tree}`, `${onto}^{tree}`])).split('\n');
  if (tree === was) return is;
  const isRewritten = !(await descends(repo, from, onto));
  const merge = await mergeTrees(repo, { base: from, head: onto, work: tree, isRewritten });
  if (merge.conflicts.length > 0) return is;
  await keepTree(repo, run.state().started.run, merge.tree, `tree-${merge.tree.slice(0, 12)}`);
  return merge.tree;
}

/** A plan in no commit is copied into the lane. */
export function givePlan(trunk: Place, lane: Place): void {
  if (trunk.plan.tracked || !existsSync(trunk.plan.file)) return;
  makeFolder(path.dirname(lane.plan.file));
  writeFileAtomic(lane.plan.file, readPlanFile(trunk.plan.file));
}

function formatMerged({ landed, conflicts }: Pick<LaneWork, 'landed' | 'conflicts'>): string {
  const who =
    landed.length === 0
      ? 'others committed to the branch'
      : `${landed.map((id) => `task ${id}`).join(', ')} landed on the branch`;
  const how = conflicts.length === 0 ? 'without a conflict' : 'with conflicts';
  return `While you worked, ${who}. Your work was merged with that, ${how}: the files that you see now hold both.`;
}

export async function findConflicts(
  lane: Place,
  work: Pick<Work, 'task'>,
  { tree, fresh = [] }: Readonly<{ tree: string; fresh?: readonly string[] }>,
): Promise<Unmerged> {
  const { conflicts = [], merges = [] } = stateOf(lane, work.task).lane ?? {};
  if (merges.length === 0) return { unmerged: [], unproved: [] };
  const { repo } = lane;
  const marked = await grep(repo, tree, ['-F', ...conflictMarks.flatMap((mark) => ['-e', mark])]);
  const parted = await findSeparators(repo, tree, { conflicts, merges });
  const names = splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree])).map(nameOf);
  const left = await Promise.all(merges.map((merged) => findUntouched(repo, merged, tree)));
  return judgeConflicts({
    fresh,
    marks: [...new Set([...marked, ...parted])],
    standIns: names.filter(isStandIn),
    untouched: left.flat(),
  });
}

/** Files in conflict with a line between two sides that neither side had. */
async function findSeparators(
  repo: Repo,
  tree: string,
  { conflicts, merges }: Pick<LaneWork, 'conflicts' | 'merges'>,
): Promise<readonly string[]> {
  if (conflicts.length === 0) return [];
  const lines = ['-E', '-e', '^={7}[[:space:]]*$', '-e', '^[|]{7}( .*)?$'];
  const found = (await grep(repo, tree, lines)).filter((file) => conflicts.includes(file));
  if (found.length === 0) return found;
  const sides = merges.flatMap(({ onto, tree: work }) => [onto, work]);
  const had = (await Promise.all(sides.map((side) => grep(repo, side, lines)))).flat();
  return found.filter((file) => !had.includes(file));
}

async function grep(repo: Repo, tree: string, args: readonly string[]): Promise<readonly string[]> {
  const found = await repo.bytes(['grep', '-l', '-z', ...args, tree, '--'], { okCodes: [0, 1] });
  return splitNul(found).map((name) => nameOf(name.slice(name.indexOf(':') + 1)));
}

async function findUntouched(
  repo: Repo,
  { merged, tree: work, clashes }: LaneWork['merges'][number],
  tree: string,
): Promise<readonly Clash[]> {
  const touched = new Set(await changedNames(repo, merged, tree));
  return clashes.flatMap((files) => (files.some((file) => touched.has(file)) ? [] : { files, work }));
}

type Clash = Readonly<{
  files: readonly string[];
  /** The tree before the merge. */
  work: string;
}>;

/**
 * In words. `unmerged`: to resolve before any check; `unproved`: left, so green checks do not prove it right.
 */
type Unmerged = Readonly<{ unmerged: readonly string[]; unproved: readonly string[] }>;

export function judgeConflicts(
  found: Readonly<{
    /** No session knows of them yet. */
    fresh: readonly string[];
    marks: readonly string[];
    /** Under a name that the merge gave them. */
    standIns: readonly string[];
    /** No file was touched since. */
    untouched: readonly Clash[];
  }>,
): Unmerged {
  const { fresh, marks, standIns } = found;
  const visible = new Set([...marks, ...standIns]);
  const silent = found.untouched.filter((clash) => !clash.files.some((file) => visible.has(file)));
  const unmerged = [
    ...fresh.map((file) => `${file}: changed on both sides`),
    ...marks
      .filter((file) => !fresh.includes(file))
      .map((file) => `${file}: still holds marks of a conflict`),
    ...standIns.map(
      (file) =>
        `${file}: the merge gave it this name, because the other side has something else under its own name; find a place for both, so that no name ends like that`,
    ),
  ];
  return fresh.length > 0
    ? { unmerged: [...unmerged, ...silent.map(formatSides)], unproved: [] }
    : { unmerged, unproved: silent.map(formatLeft) };
}

/** A side may have it under another name, or not at all: `git ls-tree` shows that. */
function formatSides(clash: Clash): string {
  return `${clash.files.join(', ')}: \`git diff HEAD ${shellOf(clash)}\` shows the branch’s side and your work’s`;
}

function formatLeft(clash: Clash): string {
  return `the conflict over ${clash.files.join(', ')} was left as the merge had it (\`git ls-tree ${shellOf(clash)}\` lists what the work had)`;
}

function shellOf({ files, work }: Clash): string {
  return `${work.slice(0, 12)} -- ${files.map(shellWord).join(' ')}`;
}
