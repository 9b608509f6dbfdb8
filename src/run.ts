// The story of a run: which phases it has, in order, and how it ends. Each phase is a file under `phase/`.
import type { EndReason } from './event/run.ts';
import { asFailure, exitCodes, exitOf } from './failure.ts';
import type { RunState } from './journal/state.ts';
import { archivePlan, hasLeftItsPlace, isArchivable } from './phase/archive.ts';
import { checkAtEnd, takeBaseline } from './phase/baseline.ts';
import { finish, type RunEnd, reasonOfFailure, reasonsOf } from './phase/finish.ts';
import { setUpWorktree } from './phase/open/setup.ts';
import { planInDialogue } from './phase/planning/dialogue.ts';
import { settle } from './phase/resume/reconcile.ts';
import { finalizeWork, reasonsOfFinalize } from './phase/review/finalize.ts';
import { judgeReview, reviewWork } from './phase/review/review.ts';
import { type TasksEnd, workTasks } from './phase/tasks.ts';
import type { Context, PlanningOptions } from './place/context.ts';
import { formatInterruption } from './work/stopped.ts';

/** Takes a run from wherever it stands to its end, or to the reason it stops for. Everything is left resumable. */
export async function run(ctx: Context, report: (state: RunState) => string): Promise<RunEnd> {
  let settled = false;
  try {
    const isOver = hasLeftItsPlace(ctx);
    if (!isOver) await ctx.sandbox?.open();
    if (!isOver) await settle(ctx);
    settled = true;
    const { reasons, finished } = await goThrough(ctx, isOver);
    return await finish(ctx, reasons, { finished, settled, report });
  } catch (error) {
    const failure = asFailure(error);
    const reason = failure ? reasonOfFailure(failure) : reasonOfBug(error);
    const end = await finish(ctx, [reason], { finished: false, settled, report });
    if (failure) return end;
    throw error;
  }
}

type PhasesEnd = Readonly<{ reasons: readonly EndReason[]; finished: boolean }>;

function goThrough(ctx: Context, isOver: boolean): Promise<PhasesEnd> {
  if (ctx.options.planning) return runPlanning(ctx, ctx.options.planning);
  if (ctx.options.review) return runReview(ctx);
  return isOver ? runLastPhase(ctx) : runPhases(ctx);
}

async function runPhases(ctx: Context): Promise<PhasesEnd> {
  await setUpWorktree(ctx);
  await takeBaseline(ctx);
  const tasks = await workTasks(ctx);
  const reasons = reasonsNow(ctx, tasks);
  if (!tasks.allClosed || ctx.options.tasksOnly) return { reasons, finished: tasks.allClosed };
  const atEnd = await checkAtEnd(ctx);
  if (ctx.signal.aborted) return { reasons: [...reasons, interruption(ctx)], finished: false };
  if (atEnd.length > 0) return { reasons: [...reasons, ...atEnd], finished: false };
  const review = await reviewWork(ctx);
  if (!review.ended) return { reasons: [...reasons, ...review.reasons], finished: false };
  const finalize = await finalizeWork(ctx, { isClean: review.reasons.length === 0 });
  const after = [...reasonsNow(ctx, tasks), ...review.reasons, ...finalize.reasons];
  if (!finalize.ended) return { reasons: after, finished: false };
  if (isArchivable(ctx)) await archivePlan(ctx);
  return { reasons: after, finished: true };
}

/** All before it was done when the plan's move was announced: only the move and the end are left. */
async function runLastPhase(ctx: Context): Promise<PhasesEnd> {
  await archivePlan(ctx);
  const reasons = [...judgeReview(ctx), ...reasonsOfFinalize(ctx.state())];
  return { reasons: [...reasonsNow(ctx, allClosed), ...reasons], finished: true };
}

/** What was done before, by whomever, is reviewed, and nothing else is done. */
async function runReview(ctx: Context): Promise<PhasesEnd> {
  const { reasons, ended } = await reviewWork(ctx);
  return { reasons: [...reasons, ...reasonsNow(ctx, allClosed)], finished: ended };
}

/** A plan is made with a person, and nothing of it is done. */
async function runPlanning(ctx: Context, { person }: PlanningOptions): Promise<PhasesEnd> {
  const { reasons, ended } = await planInDialogue(ctx, person);
  return { reasons, finished: ended };
}

const allClosed: TasksEnd = { reasons: [], allClosed: true, reason: 'all tasks are closed' };

function reasonsNow({ state, config }: Context, tasks: TasksEnd): readonly EndReason[] {
  return reasonsOf(state(), tasks, config.allowUnchecked);
}

function interruption({ signal, state }: Context): EndReason {
  return { exit: exitOf(signal), code: 'interrupted', text: formatInterruption(state()) };
}

function reasonOfBug(error: unknown): EndReason {
  return { exit: exitCodes.bug, code: 'bug', text: error instanceof Error ? error.message : String(error) };
}
