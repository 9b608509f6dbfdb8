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
import { readPlanAt } from '../work/plan/plan-snapshot.ts';
import { createProving, type Proving } from '../work/prove/prove-task.ts';
import { settleHome } from '../work/settle-home.ts';
import { interrupted, reasonOfStop, type Stop } from '../work/stopped.ts';
import { restWhilePaused } from '../work/wait/rest.ts';
import { stateOf } from '../work/work.ts';
import { awaitAnswers, type EndedTask, emitEnd, pick, takeOut } from './end-task.ts';
import { createLanes } from './lanes/lanes.ts';
import { closeLanes } from './lanes/leave-lane.ts';
import { workStretch } from './lanes/work-stretch.ts';
import { completeReplan, type ReplanEnd, replan } from './planning/replan.ts';

type Phase = {
  readonly place: WorkPlace;
  readonly passed: Set<string>;
  closed: number;
  readonly proving: Proving;
};

const mostStretches = 10_000;

export async function workTasks(place: WorkPlace): Promise<PhaseEnd> {
  place.run.emit({ type: 'phase', phase: 'tasks', state: 'started' });
  const { task } = place.run.options;
  // Naming a skipped task takes it up again.
  if (task !== undefined && place.run.state().tasks.get(task)?.standing.is === 'skipped')
    place.run.emit({ type: 'intervention', kind: 'retry', text: `task ${task} was named`, task });
  const [lanes, proving] = [createLanes(place), createProving(place)];
  const passed = new Set<string>();
  const phase: Phase = { place, passed, closed: 0, proving };
  let end: PhaseEnd | undefined;
  for (let number = 1; !end && number <= mostStretches; number += 1) {
    const plan = await prepare(phase);
    const most = mostLeft(phase);
    if ('reasons' in plan) end = plan;
    else {
      const ends = most > 0 ? await workStretch(lanes, { plan, passed, most }) : undefined;
      end = await (ends ? judgeEnds(phase, ends) : waitOrEnd(phase, plan));
    }
  }
  end ??= endNow(place);
  if (place.run.state().lanes.size > 0 && end.finished) await closeLanes(lanes);
  await proving.finish();
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
  await settleHome(place);
  const cutOff = await completeReplan(place);
  return typeof cutOff === 'object' ? endNow(place, cutOff) : readPlanWithEdits(place);
}

function mostLeft({ place: { run }, closed }: Phase): number {
  return (run.options.maxTasks ?? Number.POSITIVE_INFINITY) - closed;
}

/** Perhaps a person's answer frees a task. */
async function waitOrEnd(phase: Phase, plan: Plan): Promise<PhaseEnd | undefined> {
  const { place } = phase;
  const waited = mostLeft(phase) > 0 ? await awaitAnswers(place, plan) : 'over';
  return waited === 'again' ? undefined : endNow(place, waited === 'interrupted' ? interrupted : undefined);
}

async function judgeEnds(phase: Phase, ends: readonly EndedTask[]): Promise<PhaseEnd | undefined> {
  const { place, passed } = phase;
  let goesOn = true;
  for (const ended of ends) {
    const { task, end } = ended;
    if (end.kind === 'closed') phase.closed += 1;
    const replanned = await replanAfter(place, task, end);
    if (typeof replanned === 'object') return endNow(place, replanned);
    // The next round picks again.
    if (replanned === 'taken' || ['stop', 'closed', 'dropped', 'replan'].includes(end.kind)) continue;
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
  const plan = readPlanAt(place);
  const hasOther = () => mostLeft(phase) > 0 && pick(place, plan, passed, task) !== undefined;
  const isNeeded =
    end.kind === 'skipped' || place.run.config.keepGoing || (end.kind === 'parked' && hasOther());
  emitEnd(place, { ...ended, rescue: await takeOut(place, ended, isNeeded) });
}

const whys = { failed: 'failure', replan: 'request', closed: 'after-task' } as const;

async function replanAfter(place: WorkPlace, { id: task }: Task, end: TaskEnd): Promise<ReplanEnd> {
  if (end.kind !== 'failed' && end.kind !== 'replan' && end.kind !== 'closed') return 'not-taken';
  const reason = end.kind === 'closed' ? 'the task is closed' : end.reason;
  return replan(place, { why: whys[end.kind], task, reason });
}

/** What remains, from whichever process: not a task that was retried and closed. */
function endNow(place: Place, stopped?: Stop): PhaseEnd {
  const open = readPlanAt(place).tasks.filter((task) => !isClosed(task));
  const left = open.flatMap((task) => {
    const { standing } = stateOf(place, task);
    const reason = (code: string, text: string, exit: number = exitCodes.needsPerson): EndReason => {
      return { exit, code, text: `task ${task.id} ${text}` };
    };
    if (standing.is === 'parked') return reason('needs-person', `asks: ${standing.question}`);
    if (standing.is === 'skipped') return reason('skipped', 'was skipped by a person');
    if (standing.is !== 'failed') return [];
    return reason('task-failed', `failed: ${standing.reason}`, exitCodes.taskFailed);
  });
  const reasons = [...(stopped ? [reasonOfStop(place, stopped)] : []), ...left];
  const text = `${formatOpen(place)}; the same command continues`;
  if (open.length > 0 && reasons.length === 0)
    reasons.push({ exit: exitCodes.done, code: 'tasks-left', text });
  return { reasons, finished: open.length === 0 };
}

function formatOpen(place: Place): string {
  const open = readPlanAt(place).tasks.filter((task) => !isClosed(task)).length;
  if (open === 0) return 'all tasks are closed';
  return open === 1 ? '1 task is open' : `${open} tasks are open`;
}
