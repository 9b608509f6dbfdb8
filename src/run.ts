// The story of a run: its phases in order, and how it ends. Each phase is a file under `phase/`.
import type { EndReason } from './event/run.ts';
import { asFailure, exitCodes } from './failure.ts';
import type { RunState } from './journal/state.ts';
import { archivePlan, hasLeftItsPlace, isArchivable } from './phase/archive.ts';
import { checkAtEnd, runBaseline } from './phase/baseline.ts';
import { finish, type RunEnd, reasonsOf } from './phase/finish.ts';
import { setUpGround } from './phase/open/setup.ts';
import { planInDialogue } from './phase/planning/dialogue.ts';
import { atArchive, publishRun } from './phase/publish/publish.ts';
import { reconcile } from './phase/resume/reconcile.ts';
import { finalizeWork, reasonsOfFinalize } from './phase/review/finalize.ts';
import { judgeReview, reviewWork } from './phase/review/review.ts';
import { squashRun } from './phase/squash.ts';
import { type TasksEnd, workTasks } from './phase/tasks.ts';
import { verifyEnd } from './phase/verify.ts';
import type { Place } from './place/place.ts';
import type { PlanningOptions } from './place/run.ts';
import { whyRunCutOff } from './work/judge/judge-cut-offs.ts';
import type { WorkPlace } from './work/landing.ts';
import { reasonOfFailure, reasonOfInterruption } from './work/stopped.ts';

/** Takes a run from wherever it is to its end, or to the reason it stops. It can always be resumed. */
export async function run(place: WorkPlace, report: (state: RunState) => string): Promise<RunEnd> {
  let reconciled = false;
  try {
    const cutOff = whyRunCutOff(place.run);
    if (cutOff !== undefined)
      return await finish(place, [reasonOfCutOff(cutOff)], { finished: false, reconciled, report });
    const isOver = hasLeftItsPlace(place);
    // What CI finds is mended after the plan has moved.
    const isArchived = place.run.state().archived !== undefined && place.run.options.publish !== undefined;
    if (!isOver || isArchived) await place.sandbox?.open();
    if (!isOver || isArchived) await reconcile(atArchive(place));
    reconciled = true;
    const { reasons, finished } = await runKind(place, isOver);
    return await finish(place, reasons, { finished, reconciled, report });
  } catch (error) {
    const failure = asFailure(error);
    const reason = failure ? reasonOfFailure(failure) : reasonOfBug(error);
    const end = await finish(place, [reason], { finished: false, reconciled, report });
    if (failure) return end;
    throw error;
  }
}

type PhasesEnd = Readonly<{ reasons: readonly EndReason[]; finished: boolean }>;

function runKind(place: WorkPlace, isOver: boolean): Promise<PhasesEnd> {
  if (place.run.options.planning) return runPlanning(place, place.run.options.planning);
  if (place.run.options.review) return runReview(place);
  return isOver ? runLastPhase(place) : runPhases(place);
}

async function runPhases(place: WorkPlace): Promise<PhasesEnd> {
  await place.run.options.carried?.();
  await setUpGround(place);
  await runBaseline(place);
  const tasks = await workTasks(place);
  const reasons = reasonsNow(place, tasks);
  if (!tasks.allClosed) return { reasons, finished: false };
  if (place.run.options.tasksOnly) {
    const end = await verified(place, reasons);
    return end.finished ? publishRun(place, end.reasons) : end;
  }
  const atEnd = await checkAtEnd(place);
  if (place.run.signal.aborted)
    return { reasons: [...reasons, reasonOfInterruption(place)], finished: false };
  if (atEnd.length > 0) return { reasons: [...reasons, ...atEnd], finished: false };
  const review = await reviewWork(place);
  if (!review.ended) return { reasons: [...reasons, ...review.reasons], finished: false };
  const finalize = await finalizeWork(place, { isClean: review.reasons.length === 0 });
  const after = [...reasonsNow(place, tasks), ...review.reasons, ...finalize.reasons];
  if (!finalize.ended) return { reasons: after, finished: false };
  const end = await verified(place, after);
  if (!end.finished) return end;
  if (isArchivable(place)) await archivePlan(place);
  await squashRun(place, end.reasons.length === 0);
  return publishRun(place, end.reasons);
}

/** Nothing is done until it is in the branch and passes in a fresh checkout of it. */
async function verified(place: Place, reasons: readonly EndReason[]): Promise<PhasesEnd> {
  const { reasons: more, stands } = await verifyEnd(place);
  if (place.run.signal.aborted)
    return { reasons: [...reasons, reasonOfInterruption(place)], finished: false };
  return { reasons: [...reasons, ...more], finished: stands };
}

/** The plan's move had already been announced, so only the move and what follows are left. */
async function runLastPhase(place: WorkPlace): Promise<PhasesEnd> {
  await archivePlan(place);
  const end = [...judgeReview(place), ...reasonsOfFinalize(place.run.state())];
  const reasons = [...reasonsNow(place, allClosed), ...end];
  await squashRun(place, reasons.length === 0);
  return publishRun(place, reasons);
}

/** Reviews what has been done before, whoever did it, and does nothing else. */
async function runReview(place: WorkPlace): Promise<PhasesEnd> {
  if (place.run.options.review?.answers) return publishRun(place, reasonsNow(place, allClosed));
  const { reasons, ended } = await reviewWork(place);
  const all = [...reasons, ...reasonsNow(place, allClosed)];
  return ended ? publishRun(place, all) : { reasons: all, finished: false };
}

async function runPlanning(place: Place, { person }: PlanningOptions): Promise<PhasesEnd> {
  const { reasons, ended } = await planInDialogue(place, person);
  return { reasons, finished: ended };
}

const allClosed: TasksEnd = { reasons: [], allClosed: true, reason: 'all tasks are closed' };

function reasonsNow({ run: { state, config } }: Place, tasks: TasksEnd): readonly EndReason[] {
  return reasonsOf(state(), tasks, config.require);
}

/** Ends the run, so that whoever starts it again has seen why. */
function reasonOfCutOff(text: string): EndReason {
  return { exit: exitCodes.taskFailed, code: 'cut-off', text, hint: 'The same command resumes the run.' };
}

function reasonOfBug(error: unknown): EndReason {
  return { exit: exitCodes.bug, code: 'bug', text: error instanceof Error ? error.message : String(error) };
}
