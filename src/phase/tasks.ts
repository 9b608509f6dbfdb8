// The tasks phase: which come next, in the run's own tree or in lanes.
import type { EndReason } from '../event/run.ts';
import { exitCodes } from '../failure.ts';
import { isProofPending } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';
import type { PhaseEnd } from '../place/run.ts';
import { isClosed, type Plan, type Task } from '../plan/plan.ts';
import { isHeldByWork } from '../work/begin.ts';
import { readPlanWithEdits } from '../work/edits/external-edits.ts';
import { settleTree } from '../work/guard/standstill.ts';
import type { WorkPlace } from '../work/landing.ts';
import type { TaskEnd } from '../work/loop/end-round.ts';
import { refuseElsewhere } from '../work/on-branch.ts';
import { readPlanSnapshot } from '../work/plan/plan-snapshot.ts';
import { createProving, type Proving } from '../work/prove/prove-task.ts';
import { interrupted, reasonOfStop, type Stop } from '../work/stopped.ts';
import { restWhilePaused } from '../work/wait/rest.ts';
import { stateOf } from '../work/work.ts';
import { awaitAnswers, type EndedTask, emitEnd, pick, takeOut } from './end-task.ts';
import { createLanes, type Lanes } from './lanes/lanes.ts';
import { closeLanes } from './lanes/leave-lane.ts';
import { workStretch } from './lanes/work-stretch.ts';
import { completeReplan, type ReplanEnd, replan } from './planning/replan.ts';

type Phase = {
  readonly place: WorkPlace;
  readonly lanes: Lanes;
  readonly passed: Set<string>;
  closed: number;
  readonly proving: Proving;
};

const mostStretches = 10_000;

export async function workTasks(place: WorkPlace): Promise<PhaseEnd> {
  place.run.emit({ type: 'phase', phase: 'tasks', state: 'started' });
  retryNamed(place);
  const phase: Phase = {
    place,
    lanes: createLanes(place),
    passed: new Set(),
    closed: 0,
    proving: createProving(place),
  };
  let end: PhaseEnd | undefined;
  for (let number = 1; !end && number <= mostStretches; number += 1) {
    const plan = await prepare(phase);
    const [most, { passed, lanes }] = [mostLeft(phase), phase];
    if ('reasons' in plan) end = plan;
    else {
      const ends = most > 0 ? await workStretch(lanes, { plan, passed, most }) : undefined;
      end = await (ends ? judgeEnds(phase, ends) : waitOrEnd(phase, plan));
    }
  }
  end ??= endNow(place);
  if (place.run.state().lanes.size > 0 && end.finished) await closeLanes(phase.lanes);
  await phase.proving.finish();
  const isProved = ![...place.run.state().tasks.values()].some(isProofPending);
  if (end.finished && !isProved)
    end = { reasons: [...end.reasons, reasonOfStop(place, interrupted)], finished: false };
  place.run.emit({ type: 'phase', phase: 'tasks', state: 'ended', reason: formatOpen(place) });
  return end;
}

/** Between two stretches the plan may change, and the tree settles. */
async function prepare(phase: Phase): Promise<Plan | PhaseEnd> {
  const { place } = phase;
  phase.proving.wake();
  refuseElsewhere(place);
  if (phase.closed > 0 && !isHeldByWork(place)) await settleTree(place);
  await restWhilePaused(place);
  refuseElsewhere(place);
  await place.home?.settle();
  const cutOff = await completeReplan(place);
  return typeof cutOff === 'object' ? endNow(place, cutOff) : readPlanWithEdits(place).plan;
}

function mostLeft({ place: { run }, closed }: Phase): number {
  return (run.options.maxTasks ?? Number.POSITIVE_INFINITY) - closed;
}

/** Perhaps a person's answer frees a task. */
async function waitOrEnd(phase: Phase, plan: Plan): Promise<PhaseEnd | undefined> {
  const { place } = phase;
  const waited = mostLeft(phase) > 0 ? await awaitAnswers(place, plan) : 'over';
  return waited === 'again'
    ? undefined
    : endOf(place, plan, waited === 'interrupted' ? interrupted : undefined);
}

async function judgeEnds(phase: Phase, ends: readonly EndedTask[]): Promise<PhaseEnd | undefined> {
  const { place, passed } = phase;
  let goesOn = true;
  for (const ended of ends) {
    const { task, end } = ended;
    if (end.kind === 'closed') phase.closed += 1;
    const replanned = await replanAfter(place, task, end);
    if (typeof replanned === 'object') return endNow(place, replanned);
    if (replanned === 'taken' || end.kind === 'stop' || isOver(end)) continue;
    passed.add(task.id);
    if (!ended.isAside) await leaveTree(phase, ended);
    else if (end.kind === 'failed') emitEnd(place, ended);
    goesOn &&= end.kind !== 'failed' || place.run.config.keepGoing;
  }
  const stops = ends.flatMap(({ end }) => (end.kind === 'stop' ? [end] : []));
  const stop = stops.find(({ why }) => why !== 'interrupted') ?? stops[0];
  if (stop) return endNow(place, stop);
  if (place.run.signal.aborted && !endNow(place).finished) return endNow(place, interrupted);
  return goesOn ? undefined : endNow(place);
}

/** A parked task holds up only what builds on it: its work leaves the tree if others can go on. */
async function leaveTree(phase: Phase, ended: EndedTask): Promise<void> {
  const { place, passed } = phase;
  const { task, end } = ended;
  const { plan } = readPlanSnapshot(place);
  const hasOther = () => mostLeft(phase) > 0 && pick(place, plan, passed, task) !== undefined;
  const isNeeded =
    end.kind === 'skipped' || place.run.config.keepGoing || (end.kind === 'parked' && hasOther());
  emitEnd(place, { ...ended, rescue: await takeOut(place, ended, isNeeded) });
}

/** The next round picks again. */
function isOver({ kind }: TaskEnd): boolean {
  return kind === 'closed' || kind === 'dropped' || kind === 'replan';
}

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
    case 'stop':
      return 'not-taken';
  }
}

/** Naming a skipped task takes it up again. */
function retryNamed(place: Place): void {
  const { task } = place.run.options;
  if (task === undefined || place.run.state().tasks.get(task)?.standing.is !== 'skipped') return;
  place.run.emit({ type: 'intervention', kind: 'retry', text: `task ${task} was named`, task });
}

function endNow(place: WorkPlace, stopped?: Stop): PhaseEnd {
  return endOf(place, readPlanSnapshot(place).plan, stopped);
}

/** What remains, from whichever process: not a task that was retried and closed. */
function endOf(place: Place, plan: Plan, stopped?: Stop): PhaseEnd {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const left = open.flatMap((task) => {
    const { standing } = stateOf(place, task);
    const reason = (exit: number, code: string, text: string): EndReason => {
      return { exit, code, text: `task ${task.id} ${text}` };
    };
    switch (standing.is) {
      case 'parked':
        return reason(exitCodes.needsPerson, 'needs-person', `asks: ${standing.question}`);
      case 'skipped':
        return reason(exitCodes.needsPerson, 'skipped', 'was skipped by a person');
      case 'failed':
        return reason(exitCodes.taskFailed, 'task-failed', `failed: ${standing.reason}`);
      default:
        return [];
    }
  });
  const reasons = [...(stopped ? [reasonOfStop(place, stopped)] : []), ...left];
  if (open.length > 0 && reasons.length === 0)
    reasons.push({
      exit: exitCodes.done,
      code: 'tasks-left',
      text: `${formatOpen(place)}; the same command continues`,
    });
  return { reasons, finished: open.length === 0 };
}

function formatOpen(place: Place): string {
  const open = readPlanSnapshot(place).plan.tasks.filter((task) => !isClosed(task)).length;
  if (open === 0) return 'all tasks are closed';
  return open === 1 ? '1 task is open' : `${open} tasks are open`;
}
