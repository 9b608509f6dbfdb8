// What checks name, where a person changed it while the run stood still: from then on it holds as the person has it, so
// that no agent is told to put back what it never touched. What an agent had changed before stays its own doing.
import { type Definition, mergeDefinitions } from '../../check/definition.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import type { Place } from '../../place/place.ts';
import { checksOf, nameDefinitions, type PlacedCheck, readDefinitions, type Work } from '../work.ts';

/** Journals what the edits changed of what the work's checks name. */
export async function acceptDefinitionEdits(place: Place, work: Work, edits: Edits): Promise<void> {
  const checks = checksOf(place, work.planSnapshot, work.task);
  const left = await readDefinitionsAt(place, edits.from, checks);
  const now = readDefinitions(place, checks);
  const taken = mergeDefinitions({ start: work.start.definitions, left, now }, edits.files);
  if (taken.changed.length === 0) return;
  place.run.emit({
    type: 'definitions-taken',
    task: work.task.id,
    changed: [...taken.changed],
    definitions: [...taken.definitions],
  });
}

/** What the checks name, as a tree holds it. One file leads to the next, so they are read in turns, until none is missing. */
async function readDefinitionsAt(
  place: Place,
  tree: string,
  checks: readonly PlacedCheck[],
): Promise<readonly Definition[]> {
  const known = new Map<string, string | undefined>();
  for (;;) {
    const missing = new Set<string>();
    const named = nameDefinitions(checks, (file) => {
      if (!known.has(file)) missing.add(file);
      return known.get(file);
    });
    if (missing.size === 0) return named;
    const found = await readBlobs(place.repo, tree, [...missing]);
    for (const file of missing) known.set(file, found.get(file));
  }
}

/** What a person changed while the run stood still: the trees before and after it, and the files that differ. */
export type Edits = Readonly<{ from: string; to: string; files: readonly string[] }>;
