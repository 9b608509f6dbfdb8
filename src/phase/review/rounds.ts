// The life of a stage and its rounds in the journal, whoever raises the findings: reviewers, CI, people on a forge.
import { defined } from '../../defined.ts';
import type { StageEnd } from '../../event/review.ts';
import type { FactOf } from '../../event.ts';
import {
  type FindingState,
  findingsOf,
  findRound,
  isUnsettled,
  type ReviewRound,
  type RoundPlace,
} from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';

export function startStage({ run }: Place, stage: Omit<FactOf<'stage-started'>, 'type' | 'state'>): void {
  if (!run.state().review.stages.has(stage.stage)) run.emit({ type: 'stage', state: 'started', ...stage });
}

/** Not once more if it has ended so. */
export function endStage(
  { run }: Place,
  stage: string,
  { end, reason }: Readonly<{ end: StageEnd; reason: string }>,
): void {
  const { review } = run.state();
  const known = review.stages.get(stage);
  if (!known || (known.ended?.end === end && known.ended.reason === reason)) return;
  const open = findingsOf(review, stage).filter(isUnsettled);
  run.emit({ type: 'stage', state: 'ended', stage, end, reason, open: open.map(({ id }) => id) });
}

export function lastRound({ run }: Place, stage: string): ReviewRound | undefined {
  return run.state().review.stages.get(stage)?.rounds.at(-1);
}

export function needRound({ run }: Place, { stage, round }: RoundPlace): ReviewRound {
  const found = findRound(run.state().review, stage, round);
  if (!found) throw new Error(`round ${round} of ${stage} is not in the journal`);
  return found;
}

/** One that is open is taken, unless it is for another layer. */
export function openRound(
  place: Place,
  stage: string,
  { head, layer }: Readonly<{ head: string; layer?: string | undefined }>,
): ReviewRound {
  const last = lastRound(place, stage);
  if (last && !last.ended && last.layer === layer) return last;
  const where = { stage, round: (last?.round ?? 0) + 1 };
  place.run.emit({ type: 'review-round', state: 'started', ...where, head, ...defined({ layer }) });
  return needRound(place, where);
}

/** Of each what it is known as, if it `isKnownAs` one that no other of them is; else a new id. */
export function giveIds<F>(
  findings: readonly F[],
  known: readonly FindingState[],
  isKnownAs: (one: F, free: readonly FindingState[]) => FindingState | undefined,
): readonly (F & Readonly<{ id: string }>)[] {
  let last = Math.max(0, ...known.map(({ id }) => Number(id.slice(1))));
  const given = new Set<string>();
  return findings.map((one) => {
    const same = isKnownAs(
      one,
      known.filter(({ id }) => !given.has(id)),
    );
    if (!same) last += 1;
    const id = same?.id ?? `F${last}`;
    given.add(id);
    return { ...one, id };
  });
}
