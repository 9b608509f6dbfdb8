// Whom a review's round asks, and whose answer is known. Pure. In the last stage all answered for its final commit.
import type { Stage } from '../../config/stages.ts';
import type { ReviewRound, ReviewState } from '../../journal/fold-review.ts';

/** `base`: the commit from which the diff is taken. */
export type ReviewPlan = Readonly<{ stages: readonly Stage[]; base: string }>;

/**
 * After a fix, a stage before the last asks again only who complained or did not answer, and whom no later stage asks
 * alike.
 */
export function dueReviewers(
  stage: Stage,
  rounds: readonly ReviewRound[],
  { stages }: Pick<ReviewPlan, 'stages'>,
): readonly string[] {
  const at = stages.findIndex(({ name }) => name === stage.name);
  const later = stages.slice(at + 1).filter(({ optional }) => !optional);
  if (later.length === 0) return stage.reviewers;
  const isAskedLater = (reviewer: string) =>
    later.some((one) => isAlike(one, stage) && one.reviewers.includes(reviewer));
  const all = rounds.slice(1).reduce((due, { head }, index) => {
    const before = rounds[index];
    // Nobody has seen somebody else's commit.
    if (!before?.fix || before.ended?.head !== head) return stage.reviewers;
    const again = due.filter((reviewer) => before.opinions.get(reviewer)?.length !== 0);
    return again.length === 0 ? stage.reviewers : again;
  }, stage.reviewers);
  return all === stage.reviewers ? all : all.filter((reviewer) => !isAskedLater(reviewer));
}

function isAlike(a: Stage, b: Stage): boolean {
  return a.script === undefined && b.script === undefined && a.agent === b.agent && a.model === b.model;
}

/** Reviewers that found nothing in an alike stage at the same commits; each with that stage. */
export function knownAnswers(
  review: ReviewState,
  { stage, head }: Readonly<{ stage: Stage; head: string }>,
  { stages, base }: ReviewPlan,
): ReadonlyMap<string, string> {
  const alike = stages.filter(
    (other) =>
      other.name !== stage.name &&
      isAlike(other, stage) &&
      review.stages.get(other.name)?.started.base === base,
  );
  return new Map(
    alike.flatMap(({ name }) =>
      (review.stages.get(name)?.rounds ?? [])
        .filter((round) => round.head === head)
        .flatMap(({ opinions }) => [...opinions])
        .filter(([reviewer, findings]) => findings.length === 0 && stage.reviewers.includes(reviewer))
        .map(([reviewer]) => [reviewer, name] as const),
    ),
  );
}
