// Folds facts into the state of a run.
import type { Event, Fact, FactOf, Stamped } from '../event.ts';
import { applyChanges, type Fold, type Fresh } from './changes.ts';
import { foldChecks, noChecks } from './fold-checks.ts';
import { foldLife, startLife } from './fold-life.ts';
import { foldPlaces, noPlaces } from './fold-place.ts';
import { foldSpending, noSpending } from './fold-spending.ts';
import { foldWaits, noWaits } from './fold-waits.ts';
import { foldWorks, noWorks } from './fold-works.ts';
import type { RunListener, RunState } from './state.ts';

const folds: readonly Fold<RunState, Partial<RunState>>[] = [
  foldLife,
  foldWaits,
  foldWorks,
  foldSpending,
  foldChecks,
  foldPlaces,
];

/** Undefined if they do not begin with the run's start. */
export function foldRun(facts: readonly Stamped<Fact>[]): RunState | undefined {
  const [first, ...rest] = facts;
  if (first?.type !== 'run-started') return undefined;
  const fresh: Fresh = new WeakSet();
  // Unseen maps are mutated: copies for each fact would be quadratic in the tasks.
  return rest.reduce<RunState>((state, fact) => foldOne(state, fact, fresh), startState(first));
}

/** The first fact is the start; `state` is not changed. */
export function foldFact(state: RunState | undefined, fact: Stamped<Fact>): RunState {
  if (state) return foldOne(state, fact, new WeakSet());
  return startState(fact as Stamped<FactOf<'run-started'>>);
}

/** Takes events from the run's start, or after `past`. */
export function withState(listener: RunListener, past?: RunState): (event: Stamped<Event>) => void {
  let state = past;
  return (event) => {
    const before = state;
    state = event.type === 'activity' && before ? before : foldFact(before, event as Stamped<Fact>);
    listener(event, state, before);
  };
}

function foldOne(state: RunState, fact: Stamped<Fact>, fresh: Fresh): RunState {
  const changes = folds.map((fold) => fold(state, fact));
  // Who takes a run up writes this before starting it: until then it may have been dead.
  const lastAt = fact.type === 'carry' && fact.state === 'taken-up' ? state.lastAt : fact.at;
  return applyChanges<RunState>(state, [...changes, { lastAt }], fresh);
}

function startState(started: Stamped<FactOf<'run-started'>>): RunState {
  return {
    ...startLife(started),
    ...noWaits,
    ...noWorks,
    ...noSpending,
    ...noChecks,
    ...noPlaces,
    lastAt: started.at,
  };
}
