// Prepares a resumed run: ends what a crash left, reconciles journal, git and plan, and settles lanes: a landing is
// completed, other work judged as left.
import path from 'node:path';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { findClose } from '../../git/commit/history.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { removeLocks } from '../../git/run/lock-files.ts';
import { fewOf } from '../../git/run/names.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import { removeLeftGrounds } from '../../ground/in-ground.ts';
import { findHolders } from '../../journal/lock.ts';
import {
  findWorkState,
  isInWork,
  type RunState,
  type SessionState,
  type TaskState,
} from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed } from '../../plan/plan.ts';
import { isHeldByWork } from '../../work/begin.ts';
import { confirmClose } from '../../work/close/confirm-close.ts';
import {
  acceptEdits,
  emitHandEdits,
  emitOpenedByHand,
  emitTickedByHand,
  noteTreeOfPerson,
  readPlanWithEdits,
} from '../../work/edits/external-edits.ts';
import { endLeftStandstill, settleTree } from '../../work/guard/standstill.ts';
import { isOver } from '../../work/kind/fix.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readPlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { removeDrafts } from '../../write-file.ts';
import { bringWorkBack } from '../end-task.ts';
import { findLost } from '../find-lost.ts';
import { completeCatchUp } from '../lanes/catch-up.ts';
import { isSameTask } from '../lanes/free-lane.ts';
import { tidyTrunk } from '../lanes/incoming.ts';
import { completeLanding, tickInPlace } from '../lanes/land.ts';
import { createLanes, listBegun } from '../lanes/lanes.ts';
import { placeLane } from '../lanes/place-lane.ts';
import { giveUpLane, isUsable } from '../lanes/usable.ts';
import { findLateEdits, type LateEdits } from './late-edits.ts';
import { judgeLeft, settleClosing } from './reconcile-task.ts';
import { findUnjudged, restoreCutOff } from './restore-cut-off.ts';

export async function reconcile(place: WorkPlace): Promise<void> {
  const crashed = [...place.run.state().sessions.values()].filter((session) => !session.ended);
  for (const session of crashed) await endCrashed(place, session);
  removeLeftGrounds(place, new Set(findHolders(place.repo.home).map(({ holder }) => holder.run)));
  await endLeftStandstill(place);
  // A dialogue touches neither tree, branch nor plan.
  if (place.run.options.planning) return;
  // Reviewers and planners work elsewhere: changes here are no session's.
  await finishLanding(place);
  if (crashed.some(({ started }) => started.lane !== undefined)) await tidyTrunk(place);
  const crashedHere = crashed.findLast(
    ({ started }) => worksHere.has(started.role) && started.lane === undefined,
  );
  const late = crashedHere && (await findLateEdits(place, crashedHere));
  const unjudged = crashedHere ? undefined : findUnjudged(place);
  const began = crashedHere ?? (unjudged && (await hasHistoryLeft(place)) ? undefined : unjudged);
  if (began) await restoreCutOff(place, began);
  // Only now is the branch in a ground what pawl made of it.
  await place.home?.settle();
  const accepted = crashedHere ? undefined : await acceptEdits(place, place.run.options.left);
  // With a person's edits in the task, nobody can tell what is the session's.
  const cut = accepted ? undefined : began;
  if (!cut) await bringWorkBack(place);
  const before = place.run.state();
  const hasWork = before.plan !== undefined || place.run.options.review !== undefined;
  if (hasWork) await reconcileTasks(place, { cut, late });
  if (diedBetweenTasks(place, before)) await settleTree(place);
  const planSnapshot = readPlanWithEdits(place);
  if (!cut && hasWork) await noteTreeOfPerson(place, planSnapshot, accepted?.edits);
  await settleLanes(place, crashed);
  // Last: a refused start has accepted nothing, and each act is reported once.
  emitHandEdits(place, accepted?.told ?? []);
  if (!late?.files.length) return;
  const text = `${fewOf(late.files, 12)} changed while pawl was not running, and went to the open task`;
  place.run.emit({ type: 'noticed', code: 'changed-while-away', text });
}

/** Then the tree was that of the last commit; after a stop its own tree says what is new. */
function diedBetweenTasks(place: Place, { fixes }: RunState): boolean {
  const { left, takeEdits, review } = place.run.options;
  const tasks = [...place.run.state().tasks.values()];
  if (
    left !== undefined ||
    takeEdits ||
    review ||
    readHead(place.repo).branch !== place.run.state().started.branch
  )
    return false;
  const isInside = [...tasks, ...fixes.values()].some(isInWork) || isHeldByWork(place);
  return !isInside && tasks.some(({ standing }) => standing === 'closed');
}

const worksHere: ReadonlySet<string> = new Set(['task', 'fix', 'finalize']);

/** Somebody other than pawl removed what the last session began on; it is not restored. */
async function hasHistoryLeft(place: Place): Promise<boolean> {
  const { head } = place.run.options.left ?? {};
  const start = head === undefined ? undefined : readKeptSnapshot(place)?.head;
  return head !== undefined && start !== undefined && !(await descends(place.repo, start, head));
}

/** The cost of a killed session is a lower bound. */
async function endCrashed(place: Place, session: SessionState): Promise<void> {
  const { session: number, mark } = session.started;
  // A session of another machine has no processes here.
  const ended = mark === '' ? [] : await place.sweep.end(`PAWL_SESSION=${mark}`);
  if (ended.length > 0) {
    const processes = ended.map(({ pid, command }) => ({ pid, command }));
    place.run.emit({ type: 'leftovers-ended', session: number, processes });
  }
  place.run.emit({
    type: 'session-ended',
    session: number,
    outcome: 'crashed',
    reason: mark === '' ? 'the run was taken up while it ran' : 'pawl was ended while it ran',
    ...defined({ costUsd: session.costUsd }),
    costAtLeast: true,
    durationMs: Math.max(0, Date.parse(place.run.state().lastAt) - Date.parse(session.started.at)),
    exitCode: null,
    signal: null,
  });
}

type CutOff = Readonly<{ cut: SessionState | undefined; late: LateEdits | undefined }>;

async function reconcileTasks(place: WorkPlace, { cut, late }: CutOff): Promise<void> {
  const lost = (await findLost(place, closedOf(place))).map(({ id }) => id);
  const { tasks } = parsePlan(readText(place.plan.file), place.plan.file);
  const ticked = new Set(tasks.filter(isClosed).map(({ id }) => id));
  const ids = place.run.options.review ? [] : tasks.map(({ id }) => id);
  for (const id of [...ids, ...openFixes(place)]) {
    const state = place.run.state();
    const known = findWorkState(state, id);
    const wasTicked = known?.standing === 'closed-by-hand' || isClosedIn(state, id);
    // Judged in the lane.
    if (known && isInWork(known) && known.start?.lane !== undefined) continue;
    if (state.closing?.task === id) await settleClosing(place, state.closing);
    else if (known?.standing === 'closed') {
      if (!ticked.has(id)) emitOpenedByHand(place, id);
      else if (lost.includes(id)) throw lostCommit(place, id);
    } else if (cut?.started.task === id) await judgeLeft(place, id, late);
    else if (ticked.has(id) && !wasTicked) emitTickedByHand(place, id);
  }
}

function isClosedIn({ plan }: RunState, id: string): boolean {
  return plan?.tasks.find((task) => task.id === id)?.closed ?? false;
}

function closedOf({ run }: Place): readonly TaskState[] {
  return [...run.state().tasks.values()].filter(({ standing }) => standing === 'closed');
}

/** Without a box, they count as open. */
function openFixes(place: Place): readonly string[] {
  const fixes = [...place.run.state().fixes.values()];
  return fixes.filter((fix) => fix.standing === 'open' && !isOver(place, fix)).map(({ id }) => id);
}

function lostCommit(place: Place, id: string): Failure {
  const { oid = '' } = place.run.state().tasks.get(id)?.closed ?? {};
  return new Failure(
    'history',
    `task ${id} is ticked, but its commit ${oid.slice(0, 12)} is no longer in the branch`,
    {
      hint: `Bring it back with \`git cherry-pick ${oid.slice(0, 12)}\`, or untick the task in the plan to have it done again.`,
    },
  );
}

async function finishLanding(trunk: WorkPlace): Promise<void> {
  const { closing, started } = trunk.run.state();
  if (closing?.lane === undefined) return;
  const commit = await findClose(trunk.repo, closing.key, started.base);
  if (!commit) return;
  await completeLanding(trunk, { oid: commit.oid, parent: closing.parent });
  const files = await changedFiles(trunk.repo, closing.parent, commit.oid);
  const { name, tracked } = trunk.plan;
  const ticked = tracked
    ? ((await readBlobs(trunk.repo, commit.oid, [name])).get(name) ?? '')
    : tickInPlace(trunk, closing.task);
  confirmClose(trunk, closing, { oid: commit.oid, files, ticked });
}

/** After `finishLanding`. `crashed`: cut off by a kill. */
async function settleLanes(trunk: WorkPlace, crashed: readonly SessionState[]): Promise<void> {
  const lanes = createLanes(trunk);
  for (const number of trunk.run.state().lanes.keys()) {
    const { file } = placeLane(lanes, number).plan;
    removeDrafts(path.dirname(file), path.basename(file));
  }
  const begun = [...listBegun(trunk)].sort(([a], [b]) => a - b);
  for (const [number, task] of begun) {
    if (trunk.run.signal.aborted) return;
    const lane = placeLane(lanes, number);
    if (await isUsable(trunk, lane, number)) await settle(trunk, lane, { number, task, crashed });
    else {
      if (trunk.run.state().closing?.task === task.id) endClosing(trunk, task, 'its lane is gone');
      giveUpLane(trunk, number, task);
    }
  }
}

function endClosing({ run }: Place, { id, lastRound }: TaskState, reason: string): void {
  const attempt = lastRound?.attempt ?? 1;
  run.emit({ type: 'round-ended', task: id, attempt, verdict: 'again', reason, counts: false });
}

type LaneFinding = Readonly<{
  number: number;
  task: TaskState;
  crashed: readonly SessionState[];
}>;

async function settle(
  trunk: WorkPlace,
  lane: WorkPlace,
  { number, task, crashed }: LaneFinding,
): Promise<void> {
  const { id } = task;
  const { started } = trunk.run.state();
  await removeLocks(lane.repo, { branch: started.branch, since: new Date(started.at) });
  const { catchingUp } = trunk.run.state().tasks.get(id) ?? {};
  if (catchingUp) await completeCatchUp({ trunk, lane }, catchingUp);
  const cut = crashed.findLast(({ started: { task, lane: where } }) => task === id && where === number);
  const began = cut ?? findUnjudged(lane);
  const closing = trunk.run.state().closing?.task === id ? trunk.run.state().closing : undefined;
  // A task that the plan no longer has cannot land.
  const isSame = isSameTask(readPlanSnapshot(trunk).plan, task);
  if (closing) {
    if (isSame) return settleClosing(lane, closing);
    endClosing(lane, task, 'the plan has another task by its number');
  }
  if (began) await restoreCutOff(lane, began);
  if (!began || !isSame) return;
  await judgeLeft(lane, id);
}
