// One task: attempts and waits until a verdict ends it.
import type { Snapshot } from '../../git/protect/snapshot.ts';
import { isAway, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { isClosed, type Plan, type Task } from '../../plan/plan.ts';
import { beginTask, isRenumbered } from '../begin.ts';
import { awaitMoney, emitBudgets, isMoneyHeld, overspendNow } from '../budget/spending.ts';
import { readPlanWithEdits } from '../edits/external-edits.ts';
import { snapshotBeforeWork } from '../guard/guard.ts';
import { findWork } from '../kind/fix.ts';
import { placeTests } from '../kind/fix-answers.ts';
import type { WorkPlace } from '../landing.ts';
import { refuseElsewhere } from '../on-branch.ts';
import { replayPoint, restoreStart } from '../rescue/rescue-point.ts';
import { readEvidence, writeEvidence } from '../restart-files.ts';
import { findHold } from '../session/await-turn.ts';
import { dutyOf } from '../session/start-session.ts';
import { interrupted } from '../stopped.ts';
import { writeWorkTree } from '../tree/work-tree.ts';
import { restWhilePaused } from '../wait/rest.ts';
import { waitBefore } from '../wait/wait.ts';
import { isOfPlan, stateOf, type Work } from '../work.ts';
import { attempt } from './attempt.ts';
import { endRound, formatPast, restartsOnStart, type TaskEnd } from './end-round.ts';

const skipped: TaskEnd = { kind: 'skipped', reason: 'a person skipped it' };

const mostRounds = 1_000;

export async function workTask(place: WorkPlace, plan: Plan, task: Task): Promise<TaskEnd> {
  const begun = await beginTask(place, plan, task);
  if (!begun) return interrupted;
  let work = begun;
  for (let number = 1; number <= mostRounds; number += 1) {
    const rested = await restWhilePaused(place);
    if (number > 1 || rested) {
      const again = await readAgain(place, work);
      if (!('start' in again)) return again;
      work = again;
    }
    const end = findOwedEnd(place, work) ?? (await waitForRound(place, work));
    if (end === 'again') continue;
    if (end) return end;
    const before = await bringTree(place, work);
    // Nothing is awaited from here to the session's start: a person's request comes before it or during it.
    if (!mayStart(place, work)) continue;
    const evidence = formatPast(place, work);
    const { attemptsEver, lastRound } = stateOf(place, task);
    const { reason = 'first attempt' } = lastRound ?? {};
    place.run.emit({ type: 'attempt-started', task: task.id, attempt: attemptsEver + 1, reason });
    const ended = await endRound(place, work, await attempt(place, { work, before }, evidence));
    if (ended) return ended;
  }
  return { kind: 'failed', reason: `${mostRounds} rounds without an end` };
}

async function readAgain(place: WorkPlace, work: Work): Promise<Work | TaskEnd> {
  refuseElsewhere(place);
  const plan = readPlanWithEdits(place);
  const found = findWork(place, plan, work.task.id);
  if (isAway(stateOf(place, work.task))) return { kind: 'dropped', reason: 'a commit by hand comes first' };
  if (found && isRenumbered({ ...found, start: work.start }))
    return { kind: 'dropped', reason: 'the plan has another task by its number' };
  // A lane's start may have moved to what landed.
  const start = place.lane && found ? found.start : work.start;
  if (found && (!isOfPlan(found) || !isClosed(found.task))) return { ...found, start };
  return { kind: 'dropped', reason: found ? 'it was ticked by hand' : 'it is no longer in the plan' };
}

/** It failed before a kill, or before its lane was lost. Only a person can grant new attempts. */
export function isEndOwed({ lastRound, counted }: TaskState): boolean {
  return lastRound?.verdict === 'fail' && counted.length > 0;
}

function findOwedEnd(place: Place, work: Work): TaskEnd | undefined {
  if (place.run.signal.aborted) return interrupted;
  if (findHold(place, work.task) === 'skip') return skipped;
  const state = stateOf(place, work.task);
  const { lastRound: last, answers } = state;
  // Asked before a kill.
  if (last?.question !== undefined && answers.at(-1)?.question !== last.question)
    return { kind: 'parked', reason: last.question };
  if (last && isEndOwed(state)) return { kind: 'failed', reason: last.reason };
  // Requested before a kill: no planner was asked.
  if (last?.verdict === 'replan' && !place.run.state().replans.some(({ started }) => started.at >= last.at))
    return { kind: 'replan', reason: last.reason };
  return undefined;
}

/** `again`: everything may have changed. */
async function waitForRound(place: WorkPlace, work: Work): Promise<TaskEnd | 'again' | undefined> {
  emitBudgets(place, work.task);
  const overspend = overspendNow(place, work.task, { newSession: true });
  if (overspend) return { kind: 'stop', why: 'budget', ...overspend };
  const isWanted = () => findHold(place, work.task) === undefined;
  if (await awaitMoney(place, work.task, isWanted)) return 'again';
  const noWait = await waitBefore(place, { duties: [dutyOf(work)], isWanted });
  return noWait ?? (place.run.signal.aborted ? interrupted : undefined);
}

async function bringTree(place: WorkPlace, work: Work): Promise<Snapshot> {
  refuseElsewhere(place);
  await replayParkedWork(place, work);
  if (restartsOnStart(place, work))
    await restoreStart(place, work, `two attempts at task ${work.task.id} with the same failure`);
  const before = await snapshotBeforeWork(place);
  await placeTests(place, work);
  return before;
}

/** Another lane may have taken the last session that a cap allows. */
function mayStart(place: Place, { task }: Work): boolean {
  const { aborted } = place.run.signal;
  if (aborted || findHold(place, task) !== undefined || isMoneyHeld(place, task)) return false;
  return !overspendNow(place, task, { newSession: true });
}

async function replayParkedWork(place: WorkPlace, work: Work): Promise<void> {
  const { work: of } = stateOf(place, work.task);
  if (of.is !== 'returning') return;
  // A person may have added to its start.
  const left = await replayPoint(place, of.rescue, work);
  await writeWorkTree(place, work, 'session');
  if (left.length === 0) return;
  const text = `Others changed ${left.join(', ')} meanwhile; what this task had done there is in the commit ${of.rescue} (\`git show ${of.rescue}:<file>\`).`;
  place.run.emit({ type: 'noticed', code: 'parked-work', text: `Task ${work.task.id}: ${text}` });
  writeEvidence(place, work.task.id, `${readEvidence(place, work.task.id)}\n\n${text}`);
}
