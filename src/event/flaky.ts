// Checks that were red and then green on the same tree: a single result of theirs proves little.
import type { Fact } from '../event.ts';

/** What was seen of the tree at hand, and of all before it. */
export type Flakiness = Readonly<{
  tree?: string;
  /** Ids of checks that were red on that tree. */
  red: ReadonlySet<string>;
  /** Commands that were red and then green on one tree, in the order found. */
  flaky: readonly string[];
}>;

export const noneFlaky: Flakiness = { red: new Set(), flaky: [] };

/** After one more fact; the same value when nothing changed. */
export function foldFlakiness(seen: Flakiness, fact: Fact): Flakiness {
  if (fact.type === 'tree-written')
    return fact.tree === seen.tree ? seen : { ...seen, tree: fact.tree, red: new Set() };
  if (fact.type === 'landing-rerun')
    return fact.result !== 'green' || seen.flaky.includes(fact.command)
      ? seen
      : { ...seen, flaky: [...seen.flaky, fact.command] };
  if (fact.type !== 'check-ended' || fact.when !== 'after' || fact.knownRed) return seen;
  if (fact.result === 'red') return { ...seen, red: new Set(seen.red).add(fact.check) };
  if (!isFlaky(seen, fact) || seen.flaky.includes(fact.command)) return seen;
  return { ...seen, flaky: [...seen.flaky, fact.command] };
}

/** Whether this result is green where the same check was red before on the same tree. */
export function isFlaky({ red }: Flakiness, fact: Extract<Fact, { type: 'check-ended' }>): boolean {
  return fact.when === 'after' && fact.result === 'green' && red.has(fact.check);
}
