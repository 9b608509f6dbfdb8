// Prepares a resumed run: what was announced and not confirmed is completed, what a crash left is ended, and journal, git
// and plan agree again.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { removeLeftGrounds } from '../../ground/in-ground.ts';
import { findHolders } from '../../journal/lock.ts';
import { findWorkState, openSessions, type RunState, type SessionState } from '../../journal/state.ts';
import { isAway, isInWork, listClosed } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed } from '../../plan/plan.ts';
import { isHeldByWork } from '../../work/begin.ts';
import {
  acceptEdits,
  emitHandEdits,
  noteTreeOfPerson,
  readPlanWithEdits,
} from '../../work/edits/external-edits.ts';
import { endLeftStandstill, settleTree } from '../../work/guard/standstill.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { settleHome } from '../../work/settle-home.ts';
import { findLost } from '../find-lost.ts';
import { tidyTrunk } from '../lanes/branch.ts';
import { findUnjudged, restoreCutOff, takeCommits } from './cut-off.ts';
import { endUnjudged, judgeLeft, settleClosing } from './reconcile-task.ts';
import { finishLanding, settleLanes } from './settle-lanes.ts';

/**
 * | announced, not confirmed | completed by |
 * |---|---|
 * | a session, before its end | `endCrashed`; in the run's tree `restoreCutOff`, then `judgeLeft` |
 * | a ground, a standstill | `removeLeftGrounds`, `endLeftStandstill` |
 * | a close whose commit is on the branch, of a lane | `finishLanding` |
 * | any other close | `settleClosing`: confirmed by its commit, else judged again |
 * | a lane's merge | `completeCatchUp` in `settleLanes` |
 * | a re-plan, the archive, an undo | where they are made |
 *
 * Without `judges`, what runs checks is left to the next start, with what a person has changed till then.
 */
export async function reconcile(place: WorkPlace, { judges = true } = {}): Promise<void> {
  const { left, planning, takeEdits } = place.run.options;
  const { review } = place.run.state().started;
  const crashed = openSessions(place.run.state());
  for (const session of crashed) await endCrashed(place, session);
  removeLeftGrounds(place, new Set(findHolders(place.repo.home).map(({ holder }) => holder.run)));
  await endLeftStandstill(place);
  // A dialogue touches neither tree, branch nor plan.
  if (planning) return;
  await finishLanding(place);
  if (crashed.some(({ started }) => started.lane !== undefined)) await tidyTrunk(place);
  // Reviewers and planners work elsewhere: changes here are no session's.
  const crashedHere = crashed.findLast(
    ({ started }) => worksHere.has(started.role) && started.lane === undefined,
  );
  const unjudged = crashedHere ?? (await findLeftUnjudged(place));
  if (unjudged) await restoreCutOff(place, unjudged);
  // Only now is the branch in a ground what pawl made of it.
  await settleHome(place);
  if (!judges) return;
  const accepted = crashedHere ? undefined : await acceptEdits(place, left);
  // With a person's edits in the task, nobody can tell what is the session's.
  const cut = accepted ? undefined : unjudged;
  const before = place.run.state();
  const hasWork = before.plan !== undefined || review !== undefined;
  if (hasWork) await reconcileTasks(place, cut);
  if (!left && !takeEdits && !review && diedBetweenTasks(place, before)) await settleTree(place);
  const plan = readPlanWithEdits(place);
  if (!cut && hasWork) await noteTreeOfPerson(place, plan, left ? accepted?.edits : await takeCommits(place));
  await settleLanes(place, crashed);
  // Last: a refused start has accepted nothing, and each act is reported once.
  emitHandEdits(place, accepted?.told ?? []);
}

const worksHere: ReadonlySet<string> = new Set(['task', 'fix', 'finalize']);

/** The tree is that of the last commit, then. */
function diedBetweenTasks(place: Place, { fixes }: RunState): boolean {
  const { started, tasks } = place.run.state();
  const isInside = [...tasks.values(), ...fixes.values()].some(isInWork) || isHeldByWork(place);
  const isBegun = [...tasks.values()].some(({ standing }) => standing.is === 'closed');
  return isBegun && !isInside && readHead(place.repo).branch === started.branch;
}

/** Undefined, too, if somebody other than pawl removed what it began on: that is not restored. */
async function findLeftUnjudged(place: Place): Promise<SessionState | undefined> {
  const unjudged = findUnjudged(place);
  const { head } = place.run.options.left ?? {};
  const start = unjudged && readKeptSnapshot(place)?.head;
  const isOnStart = head === undefined || start === undefined || (await descends(place.repo, start, head));
  return isOnStart ? unjudged : undefined;
}

/** The cost of a killed session is a lower bound. */
async function endCrashed(place: Place, { started, costUsd, overAt }: SessionState): Promise<void> {
  const { session, mark, at } = started;
  const { emit } = place.run;
  // A session of another machine has no processes here.
  const isHere = mark !== '';
  const ended = isHere ? await place.sweep.end(`PAWL_SESSION=${mark}`) : [];
  const processes = ended.map(({ pid, command }) => ({ pid, command }));
  if (ended.length > 0) emit({ type: 'leftovers-ended', session, processes });
  const reason = isHere ? 'pawl was ended while it ran' : 'the run was taken up while it ran';
  const durationMs = Math.max(0, Date.parse(overAt ?? at) - Date.parse(at));
  const cost = { ...defined({ costUsd }), costAtLeast: true };
  const end = { outcome: 'crashed', reason, durationMs, exitCode: null, signal: null } as const;
  emit({ type: 'session-ended', session, ...cost, ...end });
}

async function reconcileTasks(place: WorkPlace, cut?: SessionState): Promise<void> {
  const { tasks: known, fixes } = place.run.state();
  const lost = new Set((await findLost(place, listClosed(known.values()))).map(({ task }) => task.id));
  const { tasks } = parsePlan(readPlanFile(place.plan.file), place.plan.file);
  const ticked = new Set(tasks.filter(isClosed).map(({ id }) => id));
  const ids = place.run.state().started.review ? [] : tasks.map(({ id }) => id);
  const open = [...fixes.values()].filter((fix) => fix.standing.is === 'open' && !fix.ended);
  for (const id of [...ids, ...open.map((fix) => fix.id)]) {
    const state = place.run.state();
    const task = findWorkState(state, id);
    // Judged in the lane.
    if (task && isInWork(task) && task.start?.lane !== undefined) continue;
    if (state.closing?.task === id) await settleClosing(place, state.closing);
    else if (task?.standing.is === 'closed') {
      // A task that a person unticked is done again.
      if (!lost.has(id) || !ticked.has(id)) continue;
      const oid = task.standing.fact.oid.slice(0, 12);
      throw new Failure('history', `task ${id} is ticked, but its commit ${oid} is no longer in the branch`, {
        hint: `Bring it back with \`git cherry-pick ${oid}\`, or untick the task in the plan to have it done again.`,
      });
    } else if (task && cut?.started.task === id) {
      if (isAway(task)) endUnjudged(place, task, 'somebody committed changes of the same files');
      else await judgeLeft(place, id);
    }
  }
}
