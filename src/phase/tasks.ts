// The tasks phase: picks the next task, has it worked on, and decides whether the run continues.
import { defined } from '../defined.ts';
import type { EndReason } from '../event/run.ts';
import { exitCodes } from '../failure.ts';
import { isInWork } from '../journal/state.ts';
import type { Place } from '../place/place.ts';
import { isClosed, type Plan, type Task } from '../plan/plan.ts';
import { boundedLoop } from '../work/bounded-loop.ts';
import { readPlanWithEdits } from '../work/edits/read-plan.ts';
import type { TaskEnd } from '../work/loop/end-round.ts';
import { workTask } from '../work/loop/work-task.ts';
import { refuseElsewhere } from '../work/on-branch.ts';
import { type PlanSnapshot, readPlanSnapshot } from '../work/plan/plan-snapshot.ts';
import type { WorkPlace } from '../work/ports.ts';
import { createProving, type Proving } from '../work/prove/proving.ts';
import { interrupted, reasonOfStop, type Stop } from '../work/stopped.ts';
import { restWhilePaused } from '../work/wait/rest.ts';
import { stateOf } from '../work/work.ts';
import { awaitAnswers } from './await-answers.ts';
import { closeLanes, notePersonsFiles } from './lanes/close-lanes.ts';
import { finishFollow } from './lanes/land.ts';
import { createLanes, type Lanes } from './lanes/lanes.ts';
import type { LaneEnd } from './lanes/shift.ts';
import { workInLanes } from './lanes/work-in-lanes.ts';
import { pick } from './pick-task.ts';
import { completeReplan, type ReplanEnd, replan } from './planning/replan.ts';

/** How the phase ended: reasons against exit 0, and whether all tasks are closed. */
export type TasksEnd = Readonly<{ reasons: readonly EndReason[]; allClosed: boolean; reason: string }>;

type Phase = {
  readonly place: WorkPlace;
  readonly lanes: Lanes;
  /** Tasks that did not close, and are not retried automatically. */
  readonly passed: Set<string>;
  closed: number;
  readonly proving: Proving;
};

/** Works on tasks until none can be picked, or one stops the run. */
export async function workTasks(place: WorkPlace): Promise<TasksEnd> {
  place.run.emit({ type: 'phase', phase: 'tasks', state: 'started' });
  retryNamed(place);
  const phase: Phase = {
    place,
    lanes: createLanes(place),
    passed: new Set(),
    closed: 0,
    proving: createProving(place),
  };
  const end = await boundedLoop(() => workOnce(phase), {
    most: 10_000,
    spent: () => ({ reasons: [], allClosed: false, reason: 'the bound of rounds is reached' }),
  });
  if (place.run.state().lanes.size > 0 && end.allClosed) {
    await notePersonsFiles(place);
    await closeLanes(phase.lanes);
  }
  await phase.proving.finish();
  place.run.emit({ type: 'phase', phase: 'tasks', state: 'ended', reason: end.reason });
  return end;
}

/** Works on one task, or on several side by side; undefined if the phase continues. */
async function workOnce(phase: Phase): Promise<TasksEnd | undefined> {
  const { place, lanes, passed } = phase;
  phase.proving.wake();
  await restWhilePaused(place);
  refuseElsewhere(place);
  // Completes what a landing could not bring into the tree, for example because a person's git had locked the index.
  await finishFollow(place);
  await place.home?.settle();
  const cutOff = await completeReplan(place);
  if (typeof cutOff === 'object') return endNow(place, cutOff);
  const planSnapshot = await readPlanWithEdits(place);
  const most = mostLeft(phase);
  const ends = most > 0 ? await workInLanes(lanes, planSnapshot, { passed, most }) : undefined;
  if (ends) return afterLanes(phase, ends);
  const task = most > 0 ? pick(place, planSnapshot.plan, passed) : undefined;
  return task ? workOnTask(phase, planSnapshot, task) : waitOrEnd(phase, planSnapshot);
}

function mostLeft({ place: { run }, closed }: Phase): number {
  return (run.options.maxTasks ?? Number.POSITIVE_INFINITY) - closed;
}

/** No task can be picked: perhaps a person's answer frees one. */
async function waitOrEnd(phase: Phase, { plan }: PlanSnapshot): Promise<TasksEnd | undefined> {
  const { place } = phase;
  const waited = mostLeft(phase) > 0 ? await awaitAnswers(place, plan) : 'over';
  return waited === 'again'
    ? undefined
    : endOf(place, plan, waited === 'interrupted' ? interrupted : undefined);
}

async function workOnTask(
  phase: Phase,
  planSnapshot: PlanSnapshot,
  task: Task,
): Promise<TasksEnd | undefined> {
  const { place, passed } = phase;
  if (place.run.state().lanes.size > 0 && !isInWork(stateOf(place, task))) await notePersonsFiles(place);
  const end = await workTask(place, planSnapshot, task);
  if (end.kind === 'closed') phase.closed += 1;
  const replanned = await replanAfter(place, task, end);
  if (typeof replanned === 'object') return endNow(place, replanned);
  if (replanned === 'taken' || isOver(end)) return undefined;
  passed.add(task.id);
  const { plan } = readPlanSnapshot(place);
  const hasOther = mostLeft(phase) > 0 && pick(place, plan, passed, task) !== undefined;
  if (await setAsideTask(place, { task, end, hasOther })) return undefined;
  return endNow(place, end.kind === 'stopped' ? end : undefined);
}

async function afterLanes(phase: Phase, ends: readonly LaneEnd[]): Promise<TasksEnd | undefined> {
  const { place, passed } = phase;
  phase.closed += ends.filter(({ end: { kind } }) => kind === 'closed').length;
  const stopped = await judgeLaneEnds(place, ends, passed);
  return stopped && endNow(place, stopped === 'over' ? undefined : stopped);
}

/** Journals failed tasks; returns why the run stops, if it does. */
async function judgeLaneEnds(
  place: WorkPlace,
  ends: readonly LaneEnd[],
  passed: Set<string>,
): Promise<Stop | 'over' | undefined> {
  let isOver = false;
  for (const { task, end, rescue } of ends) {
    if (end.kind === 'stopped') continue;
    const replanned = await replanAfter(place, task, end);
    if (typeof replanned === 'object') return replanned;
    if (replanned === 'taken' || end.kind !== 'failed') continue;
    passed.add(task.id);
    place.run.emit({
      type: 'task-set-aside',
      task: task.id,
      as: 'failed',
      reason: end.reason,
      ...defined({ rescue }),
    });
    isOver ||= !place.run.config.keepGoing;
  }
  const stops = ends.flatMap(({ end }) => (end.kind === 'stopped' ? [end] : []));
  const stop = stops.find(({ why }) => why !== 'interrupted') ?? stops[0];
  if (stop || place.run.signal.aborted) return stop ?? interrupted;
  return isOver ? 'over' : undefined;
}

/** True if there is nothing to set aside: the next round picks again. */
function isOver({ kind }: TaskEnd): boolean {
  return kind === 'closed' || kind === 'dropped' || kind === 'replan';
}

/** Has the open tasks re-planned if the settings say so. */
async function replanAfter(place: WorkPlace, { id: task }: Task, end: TaskEnd): Promise<ReplanEnd> {
  switch (end.kind) {
    case 'failed':
      return replan(place, { why: 'failure', task, reason: end.reason });
    case 'replan':
      return replan(place, { why: 'request', task, reason: end.reason });
    case 'closed':
      return replan(place, { why: 'after-task', task, reason: 'the task is closed' });
    case 'dropped':
    case 'parked':
    case 'skipped':
    case 'stopped':
      return 'not-taken';
  }
}

/** Naming a skipped task takes it up again. */
function retryNamed(place: Place): void {
  const { task } = place.run.options;
  if (task === undefined || place.run.state().tasks.get(task)?.standing !== 'skipped') return;
  place.run.emit({ type: 'intervention', kind: 'retry', text: `task ${task} was named`, task });
}

/**
 * Journals a task that did not close; returns true if the run continues. Its work moves into a rescue commit if others are
 * worked on meanwhile. A parked task holds up only the tasks that build on it.
 */
async function setAsideTask(
  place: WorkPlace,
  left: { task: Task; end: TaskEnd; hasOther: boolean },
): Promise<boolean> {
  const { task, end, hasOther } = left;
  if (end.kind !== 'failed' && end.kind !== 'parked' && end.kind !== 'skipped') return false;
  const { start, beingTakenOut } = stateOf(place, task);
  const isLeft = start !== undefined && (place.run.config.keepGoing || (end.kind === 'parked' && hasOther));
  const goesOn = end.kind === 'skipped' || isLeft;
  // Whatever a kill cut off is completed, whether or not the run continues now.
  const rescue =
    start && (goesOn || beingTakenOut !== undefined)
      ? { rescue: await place.ports.repository.restoreStart(place, { start }, `task ${task.id} ${end.kind}`) }
      : {};
  place.run.emit({ type: 'task-set-aside', task: task.id, as: end.kind, reason: end.reason, ...rescue });
  return goesOn || end.kind === 'parked';
}

function reasonOf(
  task: Task,
  end: Readonly<{ kind: 'failed' | 'parked' | 'skipped'; reason: string }>,
): EndReason {
  const name = `task ${task.id}`;
  switch (end.kind) {
    case 'failed':
      return { exit: exitCodes.taskFailed, code: 'task-failed', text: `${name} failed: ${end.reason}` };
    case 'parked':
      return { exit: exitCodes.needsPerson, code: 'needs-person', text: `${name} asks: ${end.reason}` };
    case 'skipped':
      return { exit: exitCodes.needsPerson, code: 'skipped', text: `${name} was skipped by a person` };
  }
}

function formatOpen(open: number): string {
  if (open === 0) return 'all tasks are closed';
  return open === 1 ? '1 task is open' : `${open} tasks are open`;
}

function endNow(place: WorkPlace, stopped?: Stop): TasksEnd {
  return endOf(place, readPlanSnapshot(place).plan, stopped);
}

/**
 * The reasons are what remains when the phase ends, whichever process of the run it came from: a task that was retried and
 * closed is not one.
 */
function endOf(place: Place, plan: Plan, stopped?: Stop): TasksEnd {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const left = open.flatMap((task) => {
    const { standing, question = '', failed } = stateOf(place, task);
    if (standing === 'parked') return reasonOf(task, { kind: 'parked', reason: question });
    if (standing === 'skipped') return reasonOf(task, { kind: 'skipped', reason: '' });
    return standing === 'failed' && failed ? reasonOf(task, { kind: 'failed', reason: failed.reason }) : [];
  });
  const stop = stopped ? [reasonOfStop(place, stopped)] : [];
  return { reasons: [...stop, ...left], allClosed: open.length === 0, reason: formatOpen(open.length) };
}
