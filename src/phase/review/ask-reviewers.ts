// Asks the reviewers of a round who have not answered yet, in parallel, each at most twice.
import { fixed } from '../../config/fixed.ts';
import type { Stage } from '../../config/stages.ts';
import { diffText } from '../../git/tree/changes.ts';
import { findRound } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import type { Plan } from '../../plan/plan.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import { readPlanWithEdits } from '../../work/edits/external-edits.ts';
import type { WorkPlace } from '../../work/landing.ts';
import type { Stop } from '../../work/stopped.ts';
import { restWhilePaused } from '../../work/wait/rest.ts';
import { type Asking, askInLook, type Reply } from '../ask-in-look.ts';
import { dutiesOf, mostTimes, type ReviewerRequest, runReviewer, timesAsked } from './reviewer.ts';

export type RoundGiven = Readonly<{ stage: Stage; round: number; head: string; base: string }>;

/** Bytes of the longest diff in a prompt. */
const mostDiff = 24_000;

/** Undefined once each has answered or is missing for good, or the budget is spent. */
export function askReviewers(place: WorkPlace, given: RoundGiven): Promise<Stop | undefined> {
  const { stage, head, base } = given;
  return askInLook(place, async () => {
    await restWhilePaused(place);
    const left = listLeft(place, given);
    if (left.length === 0 || overspendNow(place, undefined, { newSession: true })) return undefined;
    const duties = dutiesOf(place, stage, left);
    return { who: 'reviewer', head, base, duties, ask: (root) => askAll(place, given, { left, root }) };
  });
}

/** Without the plan's file; empty if long. Saves asking git for it. */
async function smallDiff(place: Place, { head, base }: RoundGiven, plan: Plan): Promise<string> {
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
  { left, root }: Readonly<{ left: readonly string[]; root: string }>,
): ReturnType<Asking['ask']> {
  const plan = readPlanWithEdits(place);
  const diff = await smallDiff(place, given, plan);
  const queue = [...left];
  const replies = new Map<string, Reply>();
  const jobs = Math.min(fixed.reviewers, left.length);
  let open = 0;
  const goesOn = () =>
    !place.run.signal.aborted &&
    !place.run.state().pause &&
    !overspendNow(place, undefined, { newSession: true }) &&
    [...replies.values()].every(({ kind }) => kind === 'opinion' || kind === 'missing');
  const work = async (): Promise<void> => {
    while (queue.length > 0 && goesOn()) {
      const reviewer = queue.shift() ?? '';
      const among = Math.max(1, jobs - open);
      const asked: ReviewerRequest = { ...given, reviewer, root, plan, diff, among };
      open += 1;
      replies.set(reviewer, await runReviewer(place, asked));
      open -= 1;
    }
  };
  // None may outlive the round, even if one fails.
  const ends = await Promise.allSettled(Array.from({ length: jobs }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return [...replies].map(([one, reply]) => ({ duties: dutiesOf(place, given.stage, [one]), reply }));
}
