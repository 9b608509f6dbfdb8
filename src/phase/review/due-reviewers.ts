// Who has to be asked in a round of the review, and whose answer is known already. Pure. What nobody has changed since is not
// asked about twice; in the last stage everybody who reviews in it has answered for the commit at which it ends.
import type { Stage } from '../../config/stages.ts';
import type { ReviewRound, ReviewState } from '../../journal/fold-review.ts';

/** All stages of the review in order, and the commit from which the diff is taken. */
export type ReviewPlan = Readonly<{ stages: readonly Stage[]; base: string }>;

/**
 * The reviewers of a round. After a fix, a stage that another one follows asks those again who had complained, or had not
 * answered: the stages after it look at all of the change.
 */
export function dueReviewers(
  stage: Stage,
  rounds: readonly ReviewRound[],
  { stages }: Pick<ReviewPlan, 'stages'>,
): readonly string[] {
  const at = stages.findIndex(({ name }) => name === stage.name);
  if (!stages.slice(at + 1).some(({ optional }) => !optional)) return stage.reviewers;
  return rounds.slice(1).reduce((due, { head }, index) => {
    const before = rounds[index];
    // Somebody else has committed: nobody has seen that.
    if (!before?.fix || before.ended?.head !== head) return stage.reviewers;
    const again = due.filter((reviewer) => before.opinions.get(reviewer)?.length !== 0);
    return again.length === 0 ? stage.reviewers : again;
  }, stage.reviewers);
}

/** Which of them found nothing in another stage, asked in the same way about the same commits; each with that stage. */
export function knownAnswers(
  review: ReviewState,
  { stage, head }: Readonly<{ stage: Stage; head: string }>,
  { stages, base }: ReviewPlan,
): ReadonlyMap<string, string> {
  const alike = stages.filter(
    ({ name, agent, model, script }) =>
      name !== stage.name &&
      script === undefined &&
      stage.script === undefined &&
      agent === stage.agent &&
      model === stage.model &&
      review.stages.get(name)?.started.base === base,
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
