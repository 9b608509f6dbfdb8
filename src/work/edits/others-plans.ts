// New plan files that a person wrote while the run stood still. They neither refuse a start nor become part of the run's work.
import { readBlobs } from '../../git/tree/blob.ts';
import { type Look, newFiles } from '../../git/tree/look.ts';
import type { Place } from '../../place/place.ts';
import { isPlanFile } from '../../plan/plan-name.ts';

/** Journals those that are new since the tree that was left. */
export async function noteOthersPlans(place: Place, left: string, look: Look): Promise<void> {
  const { started, leftOut } = place.run.state();
  const known = new Set([...started.untracked, ...leftOut, place.plan.name]);
  const plans = newFiles(look).filter((file) => isPlanFile(file) && !known.has(file));
  if (plans.length === 0) return;
  // One that was there when the run stopped may be a session's work.
  const held = await readBlobs(place.repo, left, plans);
  const files = plans.filter((file) => !held.has(file));
  if (files.length > 0) place.run.emit({ type: 'files-made', files, by: 'person' });
}
