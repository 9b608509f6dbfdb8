// The tasks phase: picks the next task, has it worked on, and decides whether the run goes on after it.
import type { EndReason } from '../event/run.ts';
import { exitCodes, exitOf } from '../failure.ts';
import type { TaskState } from '../journal/state.ts';
import { isClosed, type Plan, pickTask, type Task } from '../plan/plan.ts';
import type { Context } from './phase.ts';
import { refuseElsewhere } from './place.ts';
import { repeat } from './repeat.ts';
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
      refuseElsewhere(ctx);
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

/** A task that failed stays failed until a person starts the stopped run again, or names it; without `keepGoing` it ends the run. */
function pick(ctx: Context, plan: Plan, passed: ReadonlySet<string>): Task | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const idsOf = (standing: TaskState['standing']) =>
    open.filter((task) => stateOf(ctx, task).standing === standing).map(({ id }) => id);
  const excluded = new Set([...passed, ...idsOf('parked')]);
  const { task: named, from } = ctx.options;
  if (named !== undefined) return open.find(({ id }) => id === named && !excluded.has(id));
  const failed = idsOf('failed');
  if (failed.length > 0 && !ctx.config.keepGoing) return undefined;
  const at = plan.tasks.findIndex(({ id }) => id === from);
  const rest = { ...plan, tasks: plan.tasks.slice(Math.max(0, at)) };
  return pickTask(rest, new Set([...excluded, ...failed]));
}

/** Journals a task that did not close; true when the run goes on with others, its work then being in a rescue. */
async function setAsideTask(ctx: Context, left: { task: Task; end: TaskEnd }): Promise<boolean> {
  const { task, end } = left;
  if (end.kind !== 'failed' && end.kind !== 'parked') return false;
  const { start } = stateOf(ctx, task);
  const goesOn = ctx.config.keepGoing && start !== undefined;
  const rescue = goesOn
    ? { rescue: await ctx.hands.restoreStart(ctx, { start }, `task ${task.id} ${end.kind}`) }
    : {};
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
  const told = open.filter((task) => reasons.some(({ text }) => text.startsWith(`task ${task.id} `)));
  // What an earlier life of the run came to and nobody has acted on since.
  const earlier = open
    .filter((task) => !told.includes(task))
    .flatMap((task) => {
      const { standing, question = '', failed } = stateOf(ctx, task);
      if (standing === 'parked') return reasonOf(ctx, task, { kind: 'parked', reason: question });
      return standing === 'failed' && failed
        ? reasonOf(ctx, task, { kind: 'failed', reason: failed.reason })
        : [];
    });
  const reason = open.length === 0 ? 'all tasks are closed' : `${open.length} tasks are open`;
  return { reasons: [...reasons, ...earlier], allClosed: open.length === 0, reason };
}
