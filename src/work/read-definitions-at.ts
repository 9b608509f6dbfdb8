// Reads what checks name from a git tree, without the working tree.
import type { Definition } from '../check/definition.ts';
import { isOutside } from '../check/named.ts';
import { readBlobs } from '../git/tree/blob.ts';
import type { Place } from '../place/place.ts';
import { readOutside } from '../plan/read-inside.ts';
import { allChecks, checksOf, nameCheck, nameDefinitions, type PlacedCheck, type Work } from './work.ts';

/**
 * What the checks name, as a tree holds it. One file leads to the next, so files are read in turns until none is missing.
 */
export async function readDefinitionsAt(
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
    const outside = [...missing].filter(isOutside);
    const inside = [...missing].filter((file) => !isOutside(file));
    const found = await readBlobs(place.repo, tree, inside);
    for (const file of inside) known.set(file, found.get(file));
    // Files outside the repository are in no tree.
    const { root, env } = place.repo;
    for (const file of outside) known.set(file, readOutside(root, file, env['HOME']));
  }
}

/** The checks that decide other tasks only. */
export function othersChecks(place: Place, { task, planSnapshot }: Work): readonly PlacedCheck[] {
  const own = new Set(checksOf(place, planSnapshot, task).map(nameCheck));
  return allChecks(place, planSnapshot).filter((check) => !own.has(nameCheck(check)));
}

/** The deciding files, without those that a runner reads by itself, which a task may well have to set up for others. */
export async function readDecidingAt(
  place: Place,
  tree: string,
  checks: readonly PlacedCheck[],
): Promise<readonly Definition[]> {
  const found = await readDefinitionsAt(place, tree, checks);
  return found.filter(({ mayChange }) => !mayChange).map((one) => ({ ...one, mayChange: true }));
}
