// Checks that were red and then green on the same tree: one result of theirs proves little.
import type { Fact, FactOf, OfLane } from '../event.ts';

/** What was seen on the current tree of each place, and on all before. */
export type Flakiness = Readonly<{
  /** By place (a lane's number; 0: the run's own): the tree, and the ids of checks that were red on it. */
  trees: ReadonlyMap<number, Readonly<{ tree: string; red: ReadonlySet<string> }>>;
  /** Commands that were red and then green on one tree, in the order found. */
  flaky: readonly string[];
}>;

export const noneFlaky: Flakiness = { trees: new Map(), flaky: [] };

/** After one more fact; returns the same value if nothing changed. */
export function foldFlakiness(seen: Flakiness, fact: Fact & OfLane): Flakiness {
  const place = fact.lane ?? 0;
  const at = seen.trees.get(place);
  if (fact.type === 'tree-written')
    return fact.tree === at?.tree
      ? seen
      : { ...seen, trees: new Map(seen.trees).set(place, { tree: fact.tree, red: new Set() }) };
  if (fact.type !== 'check-ended' || fact.when !== 'after' || fact.knownRed) return seen;
  if (fact.result === 'red' && at)
    return {
      ...seen,
      trees: new Map(seen.trees).set(place, { ...at, red: new Set(at.red).add(fact.check) }),
    };
  return isFlaky(seen, fact) ? withFlaky(seen, fact.command) : seen;
}

function withFlaky(seen: Flakiness, command: string): Flakiness {
  return seen.flaky.includes(command) ? seen : { ...seen, flaky: [...seen.flaky, command] };
}

/** Whether this result is green after the same check was red on the same tree. */
export function isFlaky({ trees }: Flakiness, fact: FactOf<'check-ended'> & OfLane): boolean {
  const isRed = trees.get(fact.lane ?? 0)?.red.has(fact.check) ?? false;
  return fact.when === 'after' && fact.result === 'green' && isRed;
}
