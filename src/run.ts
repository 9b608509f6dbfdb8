// A run: its phases in order, and how it ends.
import type { EndReason } from './event/run.ts';
import { asFailure, exitCodes } from './failure.ts';
import type { RunState } from './journal/state.ts';
import { archivePlan, hasLeftItsPlace, isArchivable, squashRun } from './phase/archive.ts';
import { checkAtEnd, runBaseline } from './phase/baseline.ts';
import { finish, type RunEnd } from './phase/finish.ts';
import { judgeProofs } from './phase/judge-proofs.ts';
import { setUpGround } from './phase/open/setup.ts';
import { planInDialogue } from './phase/planning/dialogue.ts';
import { atArchive, publishRun } from './phase/publish/publish.ts';
import { reconcile } from './phase/resume/reconcile.ts';
import { finalizeWork, judgeReview, reasonsOfFinalize, reviewWork } from './phase/review/review.ts';
import { workTasks } from './phase/tasks.ts';
import { judgeVerified, verifyEnd } from './phase/verify.ts';
import type { Place } from './place/place.ts';
import type { PhaseEnd } from './place/run.ts';
import { isStopCutOff, whyCutOff } from './work/judge/progress.ts';
import type { WorkPlace } from './work/landing.ts';
import { reasonOfFailure, reasonOfInterruption } from './work/stopped.ts';

/** It can always be resumed. */
export async function run(place: WorkPlace, report: (state: RunState) => string): Promise<RunEnd> {
  let reconciled = false;
  const end = (found: PhaseEnd) => finish(place, found, { reconciled, report });
  try {
    const cutOff = whyCutOff(place.run);
    const stop = cutOff === undefined ? undefined : { reasons: [reasonOfCutOff(cutOff)], finished: false };
    if (stop && isStopCutOff(place.run)) return await end(stop);
    const isOver = hasLeftItsPlace(place);
    const { planning, publish } = place.run.options;
    // What CI finds is mended after the plan has moved.
    const isArchived = place.run.state().archive?.state === 'done' && publish !== undefined;
    if (!stop && (!isOver || isArchived)) await place.sandbox?.open();
    if (!isOver || isArchived) await reconcile(atArchive(place), { judges: !stop });
    reconciled = true;
    if (stop) return await end(stop);
    if (planning) return await end(await planInDialogue(place, planning.person));
    if (place.run.state().started.review) return await end(await runReview(place));
    return await end(await (isOver ? runLastPhase(place) : runPhases(place)));
  } catch (error) {
    const { signal } = place.run;
    if (signal.aborted && error === signal.reason)
      return await end({ reasons: [reasonOfInterruption(place)], finished: false });
    const failure = asFailure(error);
    const reason = failure ? reasonOfFailure(failure) : reasonOfBug(error);
    const ended = await end({ reasons: [reason], finished: false });
    if (failure) return ended;
    throw error;
  }
}

async function runPhases(place: WorkPlace): Promise<PhaseEnd> {
  await place.run.options.carried?.();
  await setUpGround(place);
  await runBaseline(place);
  const tasks = await workTasks(place);
  const proofs = () => judgeProofs(place.run.state(), place.run.config.require);
  const reasons = [...tasks.reasons, ...proofs()];
  if (!tasks.finished) return { reasons, finished: false };
  const atEnd = await checkAtEnd(place);
  if (atEnd.length > 0) return { reasons: [...reasons, ...atEnd], finished: false };
  if (place.run.options.tasksOnly) {
    const end = await verified(place, reasons);
    return end.finished ? publishRun(place, end.reasons) : end;
  }
  const review = await reviewWork(place);
  if (!review.finished) return { reasons: [...reasons, ...review.reasons], finished: false };
  const finalize = await finalizeWork(place, { isClean: review.reasons.length === 0 });
  const after = [...tasks.reasons, ...proofs(), ...review.reasons, ...finalize.reasons];
  if (!finalize.finished) return { reasons: after, finished: false };
  const end = await verified(place, after);
  if (!end.finished) return end;
  if (isArchivable(place)) await archivePlan(place);
  await squashRun(place, end.reasons.length === 0);
  return publishRun(place, end.reasons);
}

/** Nothing is done until it passes in a fresh checkout of the branch. */
async function verified(place: Place, reasons: readonly EndReason[]): Promise<PhaseEnd> {
  const end = await verifyEnd(place);
  return { ...end, reasons: [...reasons, ...end.reasons] };
}

/** The plan's move was announced before: only it and what follows are left. */
async function runLastPhase(place: WorkPlace): Promise<PhaseEnd> {
  await archivePlan(place);
  const { state, config } = place.run;
  const reasons = [
    ...judgeProofs(state(), config.require),
    ...judgeReview(place),
    ...reasonsOfFinalize(state()),
    ...(await judgeVerified(place)),
  ];
  await squashRun(place, reasons.length === 0);
  return publishRun(place, reasons);
}

async function runReview(place: WorkPlace): Promise<PhaseEnd> {
  const { state, config } = place.run;
  const proofs = () => judgeProofs(state(), config.require);
  if (state().started.review?.answers) return publishRun(place, proofs());
  const { reasons, finished } = await reviewWork(place);
  const all = [...reasons, ...proofs()];
  return finished ? publishRun(place, all) : { reasons: all, finished };
}

/** The run ends, so that whoever starts it again has seen why. */
function reasonOfCutOff(text: string): EndReason {
  return { exit: exitCodes.taskFailed, code: 'cut-off', text, hint: 'The same command resumes the run.' };
}

function reasonOfBug(error: unknown): EndReason {
  return { exit: exitCodes.bug, code: 'bug', text: error instanceof Error ? error.message : String(error) };
}
