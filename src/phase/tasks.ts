// The tasks phase: picks the next task, has it worked on, and decides whether the run goes on after it.
import type { EndReason } from '../event/run.ts';
import { exitCodes, exitOf } from '../failure.ts';
import { isClosed, type Plan, pickTask, type Task } from '../plan/plan.ts';
import type { Context } from './phase.ts';
import { repeat } from './repeat.ts';
import { restoreStart } from './rescue-point.ts';
import { takePlan } from './take-plan.ts';
import { type TaskEnd, tellTakenAway, workTask } from './task.ts';
import { readTruth } from './truth.ts';
import { stateOf } from './work.ts';

/** How the phase ended: what keeps the run from exit 0, and whether all tasks are closed. */
export type TasksEnd = Readonly<{ reasons: readonly EndReason[]; allClosed: boolean; reason: string }>;

/** Works on tasks until none can be picked, or one stops the run. */
export async function workTasks(ctx: Context): Promise<TasksEnd> {
  ctx.emit({ type: 'phase-started', phase: 'tasks' });
  const passed = new Set<string>();
  const reasons: EndReason[] = [];
  let closed = 0;
  const end = await repeat(
    async () => {
      const truth = await takePlan(ctx);
      const task =
        closed < (ctx.options.maxTasks ?? Number.POSITIVE_INFINITY)
          ? pick(ctx, truth.plan, passed)
          : undefined;
      if (!task) return endOf(ctx, truth.plan, reasons);
      const taskEnd = await workTask(ctx, truth, task);
      if (taskEnd.kind === 'closed') {
        closed += 1;
        return undefined;
      }
      if (taskEnd.kind === 'dropped') return undefined;
      reasons.push(reasonOf(ctx, task, taskEnd));
      const goesOn = await setAsideTask(ctx, { task, end: taskEnd });
      if (!goesOn) return endOf(ctx, readTruth(ctx).plan, reasons);
      passed.add(task.id);
      return undefined;
    },
    { most: 10_000, spent: () => ({ reasons, allClosed: false, reason: 'the bound of rounds is reached' }) },
  );
  ctx.emit({ type: 'phase-ended', phase: 'tasks', reason: end.reason });
  return end;
}

function pick(ctx: Context, plan: Plan, passed: ReadonlySet<string>): Task | undefined {
  const parked = [...ctx.state().tasks.values()]
    .filter((task) => task.standing === 'parked')
    .map((task) => task.id);
  const excluded = new Set([...passed, ...parked]);
  const at = plan.tasks.findIndex((task) => task.id === ctx.options.from);
  if (ctx.options.task === undefined)
    return pickTask({ ...plan, tasks: plan.tasks.slice(Math.max(0, at)) }, excluded);
  return plan.tasks.find((task) => task.id === ctx.options.task && !isClosed(task) && !excluded.has(task.id));
}

/** Journals a task that did not close; true when the run goes on with others, its work then being in a rescue. */
async function setAsideTask(ctx: Context, left: { task: Task; end: TaskEnd }): Promise<boolean> {
  const { task, end } = left;
  if (end.kind !== 'failed' && end.kind !== 'parked') return false;
  const { start } = stateOf(ctx, task);
  const goesOn = ctx.config.keepGoing && start !== undefined;
  const rescue = goesOn ? { rescue: await restoreStart(ctx, { start }, `task ${task.id} ${end.kind}`) } : {};
  if (end.kind === 'failed' && rescue.rescue !== undefined) tellTakenAway(ctx, task, rescue.rescue);
  if (end.kind === 'parked')
    ctx.emit({ type: 'task-parked', task: task.id, question: end.reason, ...rescue });
  else ctx.emit({ type: 'task-failed', task: task.id, reason: end.reason, ...rescue });
  return goesOn;
}

function reasonOf(
  ctx: Context,
  task: Task,
  end: Exclude<TaskEnd, { kind: 'closed' | 'dropped' }>,
): EndReason {
  const name = `task ${task.id}`;
  switch (end.kind) {
    case 'failed':
      return { exit: exitCodes.taskFailed, code: 'task-failed', text: `${name} failed: ${end.reason}` };
    case 'parked':
      return { exit: exitCodes.needsPerson, code: 'needs-person', text: `${name} asks: ${end.reason}` };
    case 'stopped':
      return {
        exit: exitOfStop[end.why](ctx.signal),
        code: end.why,
        text: end.reason,
        ...(end.hint === undefined ? {} : { hint: end.hint }),
      };
  }
}

const exitOfStop = {
  interrupted: exitOf,
  refused: () => exitCodes.refused,
  budget: () => exitCodes.budget,
  limited: () => exitCodes.limited,
  crashing: () => exitCodes.environment,
} as const;

function endOf(ctx: Context, plan: Plan, reasons: readonly EndReason[]): TasksEnd {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const parked = open.filter((task) => stateOf(ctx, task).standing === 'parked');
  const waiting = parked
    .filter((task) => !reasons.some((reason) => reason.text.startsWith(`task ${task.id} asks`)))
    .map((task) => reasonOf(ctx, task, { kind: 'parked', reason: stateOf(ctx, task).question ?? '' }));
  const all = [...reasons, ...waiting];
  const reason = open.length === 0 ? 'all tasks are closed' : `${open.length} tasks are open`;
  return { reasons: all, allClosed: open.length === 0, reason };
}
