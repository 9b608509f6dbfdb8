// The review: its stages in order, each with a named end. Only good ends keep the exit code; none undoes a task.
import { readStages, type Stage } from '../../config/stages.ts';
import type { EndReason } from '../../event/run.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import type { ReviewState } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import type { PhaseEnd } from '../../place/run.ts';
import { withStagePrompts } from '../../prompt/library.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { libraryNow } from '../../work/session/repository-guide.ts';
import { reasonOfStop, type Stop } from '../../work/stopped.ts';
import { reasonsOfReview } from './judge-review-end.ts';
import { workStage } from './stage.ts';

export async function reviewWork(place: WorkPlace): Promise<PhaseEnd> {
  const { review } = place.run.options;
  const configured = review?.stages ?? readStages(place.run.config.review.stages);
  const stages = withStagePrompts(configured, libraryNow(place));
  if (stages.length === 0 || isOver(place)) return { reasons: judgeReview(place), finished: true };
  place.run.emit({ type: 'phase', phase: 'review', state: 'started' });
  const stop = await workStages(place, stages, review?.base ?? place.run.state().started.base);
  // A phase that will be continued has not ended.
  if (stop) return { reasons: [reasonOfStop(place, stop), ...judgeReview(place)], finished: false };
  place.run.emit({
    type: 'phase',
    phase: 'review',
    state: 'ended',
    reason: formatEnds(place.run.state().review),
  });
  return { reasons: judgeReview(place), finished: true };
}

export function judgeReview({ run: { state, options } }: Place): readonly EndReason[] {
  const { failOn, prove = false, reportOnly = false } = options.review ?? {};
  return reasonsOfReview(state().review, { failOn, proven: prove && reportOnly });
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
    if (result.kind === 'stop') return result;
    if (result.end !== 'over-budget') continue;
    const overspend = overspendNow(place, undefined, { newSession: true });
    return { kind: 'stop', why: 'budget', ...(overspend ?? { reason: 'the budget is spent' }) };
  }
  return undefined;
}

function formatEnds({ stages }: ReviewState): string {
  const ends = [...stages.values()].map(({ started, ended }) => `${started.stage} ${ended?.end ?? 'open'}`);
  return ends.length === 0 ? 'there is nothing to review' : ends.join(', ');
}

function isOver(place: Place): boolean {
  return place.run.state().phasesEnded.includes('review');
}
