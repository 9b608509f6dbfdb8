// Who has to be asked in a round of the review, and whose answer is known already. Pure. What nobody has changed since is not
// asked about twice; in the last stage everybody who reviews in it has answered for the commit at which it ends.
import type { Stage } from '../../config/stages.ts';
import type { ReviewRound, ReviewState } from '../../journal/fold-review.ts';

/** All stages of the review in order, and the commit from which the diff is taken. */
export type ReviewPlan = Readonly<{ stages: readonly Stage[]; base: string }>;

/**
 * The reviewers of a round. The stages after one look at all of the change: so, after a fix, it asks only those again who
 * had complained or had not answered, and of these only whom no later stage asks in the same way.
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
    // Somebody else has committed: nobody has seen that.
    if (!before?.fix || before.ended?.head !== head) return stage.reviewers;
    const again = due.filter((reviewer) => before.opinions.get(reviewer)?.length !== 0);
    return again.length === 0 ? stage.reviewers : again;
  }, stage.reviewers);
  return all === stage.reviewers ? all : all.filter((reviewer) => !isAskedLater(reviewer));
}

/** Whether both ask a reviewer in the same way. */
function isAlike(a: Stage, b: Stage): boolean {
  return a.script === undefined && b.script === undefined && a.agent === b.agent && a.model === b.model;
}

/** Which of them found nothing in another stage, asked in the same way about the same commits; each with that stage. */
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
