// The run's branch as lanes meet it: its head with what came onto it, what a session did there, and how a lane's commit
// lands; and how a lane is moved to another tree. The journal, not messages, says which commits are the run's.
import path from 'node:path';
import { runCheck } from '../../check/checks.ts';
import { Failure } from '../../failure.ts';
import { followSubmodules } from '../../git/lane/follow.ts';
import { sharedRef } from '../../git/lane/ground-home.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import { restoreProtectedFiles } from '../../git/restore/restore-protected-files.ts';
import { descends, describeCommits } from '../../git/run/ancestry.ts';
import { changeRefs, moveBranch, readRef } from '../../git/run/head.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import { pawlRef } from '../../git/run/refs.ts';
import { copyIndex, moveTree, setIndex, withCopy } from '../../git/tree/index-file.ts';
import { inRun } from '../../journal/folder.ts';
import { closeOf } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { tickInPlace } from '../../work/close/confirm-close.ts';
import { emitViolations } from '../../work/guard/put-back.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { bringTreeTo, saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { plainCheck } from '../../work/work.ts';
import { headOf, inTurn, type Lanes } from './lanes.ts';

/** `isRewritten`: before this start, a person took the base out of the branch. */
type Incoming = Readonly<{ landed: readonly string[]; isRewritten: boolean }>;

/** The branch's head, with a person's commits. Throws Failure('history') if what landed is gone. */
export function soundHeadOf(lanes: Lanes): Promise<string> {
  return inTurn(lanes, () => lookAtBranch(lanes));
}

async function lookAtBranch(lanes: Lanes): Promise<string> {
  const { trunk } = lanes;
  const known = lanes.head ?? (await headOf(trunk));
  lanes.head = known;
  await guardTrunk(trunk);
  await putBranchBack(trunk, known);
  await trunk.home?.take(() => tidyTree(trunk));
  const head = await headOf(trunk);
  if (known === head) return head;
  // Also where it is refused: what a person made of the branch stays.
  lanes.head = head;
  const { branch } = trunk.run.state().started;
  if (!(await descends(trunk.repo, known, head)))
    throw new Failure('history', `the commits of ${branch} were rewritten while tasks were worked on`, {
      hint: `pawl left them as they are. \`git reflog ${branch}\` shows what was there; the same command continues from what is there now.`,
    });
  const words = await describeCommits(trunk.repo, { start: known, head, branch });
  const text = `${words} by hand meanwhile, up to ${head.slice(0, 12)}`;
  trunk.run.emit({ type: 'intervention', kind: 'hand-edit', text });
  return head;
}

export async function readIncoming(trunk: Place, from: string, head: string): Promise<Incoming> {
  const listed = await trunk.repo.git(['rev-list', '--reverse', '--left-right', `${from}...${head}`, '--']);
  const lines = listed.split('\n').filter((line) => line !== '');
  const tasks = [...trunk.run.state().tasks.values()];
  const closed = new Map(tasks.map((task) => [closeOf(task)?.oid, task.id]));
  return {
    landed: lines.flatMap((line) => (line.startsWith('>') ? (closed.get(line.slice(1)) ?? []) : [])),
    isRewritten: lines.some((line) => line.startsWith('<')),
  };
}

/** Puts back settings and hooks, which pawl's own git would obey. */
async function guardTrunk(trunk: Place): Promise<void> {
  const before = readKeptSnapshot(trunk);
  const changes = before ? await restoreProtectedFiles(trunk.repo, before.guarded) : [];
  const violations = changes.map(({ taken: _, ...change }) => change);
  emitViolations(trunk, {}, violations);
}

async function putBranchBack(trunk: Place, known: string): Promise<void> {
  const { repo, run } = trunk;
  const head = await headOf(trunk);
  if (head === known) return;
  const { branch } = run.state().started;
  const ref = `refs/heads/${branch}`;
  const kept = pawlRef(run.id, `kept/heads/${head}`);
  const old = await readRef(repo, kept);
  await changeRefs(repo, 'put branch back', [
    { ref: kept, now: head, old },
    { ref, now: known, old: head },
  ]);
  await setIndex(repo, known);
  await trunk.home?.keep();
  run.emit({ type: 'act-found', act: 'committed', detail: ref, response: 'put-back', kept });
}

export async function tidyTrunk(trunk: Place, known?: string): Promise<void> {
  const { branch } = trunk.run.state().started;
  await guardTrunk(trunk);
  const head = known ?? (await readRef(trunk.repo, sharedRef(branch)));
  if (head !== undefined) await putBranchBack(trunk, head);
  await tidyTree(trunk);
}

async function tidyTree(trunk: Place): Promise<void> {
  const reason = 'what was written into the run’s own ground while tasks were worked on in lanes';
  await bringTreeTo(trunk, 'HEAD', { reason });
}

type Landed = Readonly<{ oid: string; parent: string }>;

/** False if the branch has left the commit's parent. */
export async function landCommit(
  lanes: Lanes,
  lane: Place,
  { oid, parent, task }: Landed & Readonly<{ task: string }>,
): Promise<boolean> {
  const { trunk } = lanes;
  refuseElsewhere(trunk);
  await lane.home?.keep();
  const { branch } = trunk.run.state().started;
  return inTurn(lanes, async () => {
    if (!(await moveBranch(trunk.repo, { branch, from: parent, to: oid }))) return false;
    lanes.head = oid;
    await completeLanding(trunk, { oid, parent }, oid);
    if (!trunk.plan.tracked) tickInPlace(trunk, task);
    return true;
  });
}

/** Once the branch has moved. `from` as in `moveLane`; absent after a kill. */
export async function completeLanding(trunk: Place, { oid, parent }: Landed, from?: string): Promise<void> {
  const reason = 'what was in the run’s own ground before a task landed';
  await moveLane(trunk, { known: `${parent}^{tree}`, tree: `${oid}^{tree}`, commit: oid, reason }, from);
  await trunk.home?.bring();
}

/** `known`: the tree last written from it; anything else is not work. */
type Move = Readonly<{ known: string; tree: string; commit: string; reason: string }>;

/**
 * To another tree and commit. What is in no tree stays; may be cut off anywhere and repeated. `from`: HEAD of a lane
 * that holds nothing but `known`; git moves it, unless that would lose anything.
 */
export async function moveLane(lane: Place, move: Move, from?: string): Promise<void> {
  const { known, tree, commit, reason } = move;
  const { repo, index } = lane;
  // git would overwrite them.
  const ignored = await findInTheWay(lane, tree);
  const isSafe = from !== undefined && ignored.length === 0;
  const isMoved = isSafe && (await moveTree(repo, index, { from: known, to: tree }));
  if (!isMoved) {
    const rescue = await saveRescuePoint(lane, reason, { ignored });
    const keep = await withCopy(index, 'beside', async (copy) => {
      await setIndex(repo, known, copy);
      const others = await repo.bytes(['ls-files', '-o', '-z', '--exclude-standard'], { index: copy });
      return new Set(splitNul(others).map(nameOf));
    });
    await restoreTree(repo, { tree, index, rescue, keep });
  }
  const old = isMoved ? from : await readHeadCommit(repo);
  // Not after HEAD has moved: a repeat would not know from where.
  await followSubmodules(repo, { from: old, to: commit });
  if (old !== commit) await changeRefs(repo, 'catch up', [{ ref: 'HEAD', now: commit, old }]);
  // With what a sparse checkout leaves out.
  copyIndex(index, path.join(repo.gitDir, 'index'));
  await setIndex(repo, commit);
  if (lane.lane) await followInside(lane, commit);
}

/** Ignored files in the way of the tree's; names are raw bytes. */
async function findInTheWay({ repo }: Place, tree: string): Promise<readonly string[]> {
  const listed = splitNul(await repo.bytes(['ls-files', '-o', '-i', '--exclude-standard', '-z']));
  if (listed.length === 0) return [];
  const wanted = new Set(splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree])));
  return listed.filter((raw) => wanted.has(raw));
}

const command = `git symbolic-ref HEAD "refs/heads/$PAWL_BRANCH"
git update-ref "refs/heads/$PAWL_BRANCH" "$PAWL_HEAD"
git read-tree "$PAWL_HEAD"
git update-index -q --refresh`;

/** For git in the sandbox. A git folder that a session broke stays broken. */
async function followInside(place: Place, commit: string): Promise<void> {
  const { run, repo, env, sandbox, lane } = place;
  if (!sandbox) return;
  const name = `git-${lane?.number ?? 0}`;
  await runCheck(
    {
      ...place,
      signal: run.signal,
      root: repo.root,
      env: { ...env, PAWL_BRANCH: run.state().started.branch, PAWL_HEAD: commit },
      timeoutMs: 30_000,
    },
    plainCheck('config:1', command),
    path.join(run.folder, inRun.checks, `${name}.log`),
  );
}
