// The word that a task's commit and its closing line have.

import type { ProofWord } from '../../event/proof.ts';
import type { FactOf } from '../../event.ts';
import type { Place } from '../../place/place.ts';
import { isChanged } from '../tree/work-tree.ts';
import { isOfPlan, type Work } from '../work.ts';

/** *Proven* only where no experiment can take it back. */
export function wordAtClose(
  place: Place,
  work: Work,
  { proof, tree, isJudged }: Readonly<{ proof: ProofWord; tree: string; isJudged: boolean }>,
): Pick<FactOf<'closing'>, 'proof' | 'pending'> {
  const isFinal = place.run.config.prove === 'off' || isJudged || proof === 'unchecked' || !isOfPlan(work);
  return isFinal || !isChanged(place, work, tree)
    ? { proof }
    : { proof: 'passed', pending: { turnedGreen: proof === 'proven' } };
}
