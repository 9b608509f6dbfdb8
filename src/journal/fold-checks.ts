// Folds what checks of the whole run said, which of them were red and then green on the same tree, and what belongs to
// no task but a person has to know.
import type { Fact, FactOf, OfLane } from '../event.ts';
import { type Fold, foldBy } from './changes.ts';
import type { ChecksState, Flakiness, RunState } from './state.ts';

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

export const noChecks: ChecksState = {
  checks: 0,
  baseline: [],
  atEnd: [],
  knownRed: [],
  flakiness: noneFlaky,
  violations: [],
  refused: [],
  refusedHosts: [],
  notices: [],
  rescues: [],
};

export const foldChecks: Fold<RunState, ChecksState> = (run, fact) => ({
  ...foldRow(run, fact),
  flakiness: foldFlakiness(run.flakiness, fact),
});

const foldRow = foldBy<RunState, ChecksState>({
  'check-started': ({ checks }) => ({ checks: checks + 1 }),
  'check-ended': ({ baseline, atEnd }, fact) => {
    // It runs again, and counts then.
    if (fact.result === 'interrupted') return {};
    // A baseline that stopped the run is taken again; so is the end of a continued run.
    if (fact.when === 'baseline') return { baseline: withLatest(baseline, fact) };
    return fact.when === 'at-end' ? { atEnd: withLatest(atEnd, fact) } : {};
  },
  // The results were of other work.
  'task-reopened': () => ({ atEnd: [], freshVerified: undefined }),
  'fresh-verified': (_, freshVerified) => ({ freshVerified }),
  // A person excuses them.
  phase: ({ baseline }, { state, knownRed }) => {
    if (state === 'started' || !knownRed) return {};
    const excuse = (check: FactOf<'check-ended'>) =>
      knownRed.includes(check.command) ? { ...check, knownRed: true } : check;
    return { knownRed, baseline: baseline.map(excuse) };
  },
  'act-found': ({ tasks, violations }, fact) =>
    tasks.has(fact.task ?? '') ? {} : { violations: [...violations, fact] },
  'file-refused': ({ tasks, refused }, fact) =>
    tasks.has(fact.task ?? '') ? {} : { refused: [...refused, fact] },
  'egress-refused': ({ refusedHosts }, fact) => {
    const others = refusedHosts.filter(({ host, port }) => host !== fact.host || port !== fact.port);
    return { refusedHosts: [...others, fact] };
  },
  noticed: ({ notices }, fact) => ({ notices: [...notices, fact] }),
  'rescue-saved': ({ rescues }, fact) => (fact.notHeld.length > 0 ? { rescues: [...rescues, fact] } : {}),
});

function withLatest(
  checks: readonly FactOf<'check-ended'>[],
  fact: FactOf<'check-ended'>,
): readonly FactOf<'check-ended'>[] {
  return [...checks.filter(({ check }) => check !== fact.check), fact];
}
