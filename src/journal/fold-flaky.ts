// Checks that were red and then green on the same tree: one result of theirs proves little.
import type { Fact, FactOf, OfLane } from '../event.ts';

export type Flakiness = Readonly<{
  /** By lane (0: the run's own): its tree, and ids of checks red on it. */
  trees: ReadonlyMap<number, Readonly<{ tree: string; red: ReadonlySet<string> }>>;
  /** Commands, in the order found. */
  flaky: readonly string[];
}>;

export const noneFlaky: Flakiness = { trees: new Map(), flaky: [] };

/** Returns the same value if nothing changed. */
export function foldFlakiness(seen: Flakiness, fact: Fact & OfLane): Flakiness {
  const place = fact.lane ?? 0;
  const at = seen.trees.get(place);
  const withTree = (tree: string, red: ReadonlySet<string>) => ({
    ...seen,
    trees: new Map(seen.trees).set(place, { tree, red }),
  });
  if (fact.type === 'tree-written') return fact.tree === at?.tree ? seen : withTree(fact.tree, new Set());
  if (fact.type !== 'check-ended' || fact.when !== 'after' || fact.knownRed) return seen;
  if (fact.result === 'red' && at) return withTree(at.tree, new Set(at.red).add(fact.check));
  const isKnown = !isFlaky(seen, fact) || seen.flaky.includes(fact.command);
  return isKnown ? seen : { ...seen, flaky: [...seen.flaky, fact.command] };
}

/** Green after red on the same tree. */
export function isFlaky({ trees }: Flakiness, fact: FactOf<'check-ended'> & OfLane): boolean {
  const isRed = trees.get(fact.lane ?? 0)?.red.has(fact.check) ?? false;
  return fact.when === 'after' && fact.result === 'green' && isRed;
}
