// Asks the reviewers of a round who have not answered yet, in parallel, each at most twice.
import { fixed } from '../../config/fixed.ts';
import type { Stage } from '../../config/stages.ts';
import { diffText } from '../../git/tree/changes.ts';
import { inLook } from '../../ground/in-ground.ts';
import { findRound } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { emitBudgets, overspendNow } from '../../work/budget/spending.ts';
import { readPlanWithEdits } from '../../work/edits/external-edits.ts';
import { whileStill } from '../../work/guard/standstill.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { PlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { interrupted, type Stop } from '../../work/stopped.ts';
import { restWhilePaused } from '../../work/wait/rest.ts';
import { waitBefore, waitFor } from '../../work/wait/wait.ts';
import type { Reply } from './hear-turn.ts';
import { dutiesOf, mostTimes, type ReviewerRequest, runReviewer, timesAsked } from './reviewer.ts';

export type RoundGiven = Readonly<{ stage: Stage; round: number; head: string; base: string }>;

/** Bytes of the longest diff in a prompt. */
const mostDiff = 24_000;

const mostPasses = 1_000;

/** Undefined once each has answered or is missing for good, or the budget is spent. */
export async function askReviewers(place: WorkPlace, given: RoundGiven): Promise<Stop | undefined> {
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const end = await askOnce(place, given);
    if (end) return end === 'asked' ? undefined : end;
  }
  return { kind: 'stop', why: 'crashing', reason: 'the reviewers never finish' };
}

/** Undefined if another pass follows. */
async function askOnce(place: WorkPlace, given: RoundGiven): Promise<Stop | 'asked' | undefined> {
  await restWhilePaused(place);
  if (place.run.signal.aborted) return interrupted;
  const left = listLeft(place, given);
  if (left.length === 0) return 'asked';
  emitBudgets(place);
  if (isOverspent(place)) return 'asked';
  const noWait = await waitBefore(place, {
    duties: dutiesOf(place, given.stage, left),
    isWanted: () => !place.run.state().pause,
  });
  if (noWait) return noWait;
  const planSnapshot = readPlanWithEdits(place);
  const diff = await smallDiff(place, given, planSnapshot);
  const replies = await whileStill(place, 'reviewer', () =>
    inLook(place, given, (root) => askAll(place, given, { left, root, planSnapshot, diff })),
  );
  const stop = [...replies.values()].find((reply) => reply.kind === 'stop');
  if (stop) return stop;
  if (place.run.signal.aborted) return interrupted;
  // The longest wait covers all that hit a limit.
  const waits = [...replies].flatMap(([reviewer, reply]) =>
    reply.kind === 'wait' ? [{ reviewer, reply }] : [],
  );
  const [longest] = waits.sort((a, b) => (b.reply.until ?? 0) - (a.reply.until ?? 0));
  const waiting = waits.map(({ reviewer }) => reviewer);
  const duties = dutiesOf(place, given.stage, waiting);
  return longest && waitFor(place, longest.reply, { duties, isWanted: () => true });
}

/** Without the plan's file; empty if long. Saves asking git for it. */
async function smallDiff(place: Place, { head, base }: RoundGiven, { plan }: PlanSnapshot): Promise<string> {
  const fork = await place.repo.git(['merge-base', base, head], { okCodes: [0, 1] });
  const diff = await diffText(place.repo, fork.trim() || base, head, {
    maxBytes: mostDiff,
    ...(plan.tasks.length > 0 ? { without: place.plan.name } : {}),
  });
  return Buffer.byteLength(diff) > mostDiff ? '' : diff;
}

function listLeft(place: Place, { stage, round }: RoundGiven): readonly string[] {
  const opinions = findRound(place.run.state().review, stage.name, round)?.opinions ?? new Map();
  return stage.reviewers.filter(
    (reviewer) => !opinions.has(reviewer) && timesAsked(place, { stage, round, reviewer }) < mostTimes,
  );
}

/** A reply that the run must act on stops further ones. */
async function askAll(
  place: WorkPlace,
  given: RoundGiven,
  {
    left,
    ...about
  }: Readonly<{ left: readonly string[]; root: string; planSnapshot: PlanSnapshot; diff: string }>,
): Promise<ReadonlyMap<string, Reply>> {
  const queue = [...left];
  const replies = new Map<string, Reply>();
  const jobs = Math.min(fixed.reviewers, left.length);
  let open = 0;
  const goesOn = () =>
    !place.run.signal.aborted &&
    !place.run.state().pause &&
    !isOverspent(place) &&
    [...replies.values()].every(({ kind }) => kind === 'opinion' || kind === 'missing');
  const work = async (): Promise<void> => {
    while (queue.length > 0 && goesOn()) {
      const reviewer = queue.shift() ?? '';
      const asked: ReviewerRequest = {
        ...given,
        reviewer,
        ...about,
        among: Math.max(1, jobs - open),
      };
      open += 1;
      replies.set(reviewer, await runReviewer(place, asked));
      open -= 1;
    }
  };
  // None may outlive the round, even if one fails.
  const ends = await Promise.allSettled(Array.from({ length: jobs }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return replies;
}

function isOverspent(place: Place): boolean {
  return overspendNow(place, undefined, { newSession: true }) !== undefined;
}
