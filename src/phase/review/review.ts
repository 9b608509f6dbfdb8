// The review: its stages in order, what their ends mean for the exit code, and finalizing after a good one.
import type { Stage } from '../../config/stages.ts';
import type { EndReason } from '../../event/run.ts';
import { isAtLeast, isConfirmed, type Severity } from '../../event/severity.ts';
import { trySigning } from '../../git/commit/commit.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import {
  endNow,
  type FindingState,
  findingsOf,
  isUnsettled,
  type ReviewState,
} from '../../journal/fold-review.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { PhaseEnd } from '../../place/run.ts';
import { withStagePrompts } from '../../prompt/library.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { giveUpWork, runAuxiliaryWork } from '../../work/loop/auxiliary-work.ts';
import { libraryNow } from '../../work/session/open-session.ts';
import { notClean, reasonOfStop, type Stop } from '../../work/stopped.ts';
import { workStage } from './stage.ts';

export async function reviewWork(place: WorkPlace): Promise<PhaseEnd> {
  const { review, base } = place.run.state().started;
  const stages = withStagePrompts(place.run.config.review.stages, libraryNow(place));
  if (stages.length === 0 || place.run.state().phasesEnded.includes('review'))
    return { reasons: judgeReview(place), finished: true };
  place.run.emit({ type: 'phase', phase: 'review', state: 'started' });
  if (!review?.reportOnly) await trySigning(place.repo);
  const stop = await workStages(place, stages, review?.base ?? base);
  // A phase that will be continued has not ended.
  if (stop) return { reasons: [reasonOfStop(place, stop), ...judgeReview(place)], finished: false };
  const reason = formatEnds(place.run.state().review);
  place.run.emit({ type: 'phase', phase: 'review', state: 'ended', reason });
  return { reasons: judgeReview(place), finished: true };
}

export function judgeReview({ run: { state, options } }: Place): readonly EndReason[] {
  const { prove = false, reportOnly = false } = state().started.review ?? {};
  return reasonsOfReview(state().review, { failOn: options.failOn, proven: prove && reportOnly });
}

/** Undefined once all stages have ended. */
async function workStages(
  place: WorkPlace,
  stages: readonly Stage[],
  base: string,
): Promise<Stop | undefined> {
  if ((await readHeadCommit(place.repo)) === base) return undefined;
  for (const stage of stages) {
    const result = await workStage(place, stage, { stages, base });
    if (typeof result === 'object') return result;
    if (result !== 'over-budget') continue;
    const overspend = overspendNow(place, undefined, { newSession: true });
    return { kind: 'stop', why: 'budget', ...(overspend ?? { reason: 'the budget is spent' }) };
  }
  return undefined;
}

function formatEnds({ stages }: ReviewState): string {
  const ends = [...stages.values()].map(({ started, ended }) => `${started.stage} ${ended?.end ?? 'open'}`);
  return ends.length === 0 ? 'there is nothing to review' : ends.join(', ');
}

/**
 * With `failOn` only findings at or above it count, however a stage ended, with `proven` only confirmed ones; a missing
 * answer always counts.
 */
export function reasonsOfReview(
  review: ReviewState,
  { failOn, proven = false }: Readonly<{ failOn?: Severity | undefined; proven?: boolean }> = {},
): readonly EndReason[] {
  return [...review.stages.values()].flatMap((stage) => {
    const { started } = stage;
    const ended = endNow(review, stage);
    // A spent budget stops the run, a reason of its own.
    if (!ended || started.optional || ended.end === 'skipped' || ended.end === 'over-budget') return [];
    const counted = findingsOf(review, started.stage).filter(
      (one) =>
        isUnsettled(one) &&
        (!proven || isConfirmed(one)) &&
        (failOn === undefined || isAtLeast(one.severity, failOn)),
    );
    const isReason = failOn === undefined ? ended.end === 'open' : counted.length > 0;
    if (ended.end !== 'incomplete' && !isReason) return [];
    const open = counted.length === 0 ? '' : `; open: ${counted.map(formatOpen).join('; ')}`;
    return [notClean('review', `review ${started.stage} ended ${ended.end}: ${ended.reason}${open}`)];
  });
}

function formatOpen({ id, file, line, severity, title }: FindingState): string {
  return `${id} ${severity} ${line === 0 ? file : `${file}:${line}`} ${title}`;
}

const task = { id: 'finalize', title: 'Finalize the work' } as const;

/** `isClean`: the review left nothing for a person; else it is skipped. */
export async function finalizeWork(
  place: WorkPlace,
  { isClean }: Readonly<{ isClean: boolean }>,
): Promise<PhaseEnd> {
  const { fixes, phasesEnded } = place.run.state();
  const finalizing = fixes.get(task.id);
  const isAsked = place.run.config.finalize.prompt !== undefined;
  if (phasesEnded.includes('finalize') || (!isAsked && !finalizing))
    return { reasons: reasonsOfFinalize(place.run.state()), finished: true };
  place.run.emit({ type: 'phase', phase: 'finalize', state: 'started' });
  if (!finalizing && !isClean) {
    const text = 'The work was not finalized, because the review left something to a person';
    place.run.emit({ type: 'noticed', code: 'not-finalized', text });
  } else {
    if (!finalizing) place.run.emit({ type: 'work', state: 'planned', task: task.id, title: task.title });
    const stop =
      isAsked || finalizing?.ended
        ? await runAuxiliaryWork(place, task.id)
        : await giveUpWork(place, task.id, 'it is no longer asked for');
    if (stop) return { reasons: [reasonOfStop(place, stop)], finished: false };
  }
  const { ended } = place.run.state().fixes.get(task.id) ?? {};
  const reason = ended ? `${ended.result}: ${ended.reason}` : 'the review left something to a person';
  place.run.emit({ type: 'phase', phase: 'finalize', state: 'ended', reason });
  return { reasons: reasonsOfFinalize(place.run.state()), finished: true };
}

/** The work itself stays done. */
export function reasonsOfFinalize({ fixes }: Pick<RunState, 'fixes'>): readonly EndReason[] {
  const { ended } = fixes.get(task.id) ?? {};
  if (ended?.result !== 'failed') return [];
  return [notClean('finalize', `the work was not finalized: ${ended.reason}`)];
}
