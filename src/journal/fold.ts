// Folds facts into the state of a run.
import { defined } from '../defined.ts';
import type { Event, Fact, FactOf, Stamped } from '../event.ts';
import { applyChanges, type Fold, type Fresh } from './changes.ts';
import { foldCourse } from './fold-course.ts';
import { noCutOffs } from './fold-cut-off.ts';
import { noneFlaky } from './fold-flaky.ts';
import { foldPlaces } from './fold-place.ts';
import { foldRests } from './fold-rest.ts';
import { noReview } from './fold-review.ts';
import { foldSight } from './fold-sight.ts';
import { foldSpending } from './fold-spending.ts';
import { foldWorks } from './fold-works.ts';
import type { RunListener, RunState } from './state.ts';

const folds: readonly Fold<Partial<RunState>>[] = [
  ...[foldCourse, foldRests, foldWorks, foldSpending, foldSight, foldPlaces],
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
  return applyChanges(state, [...changes, { lastAt: fact.at }], fresh);
}

function startState(started: Stamped<FactOf<'run-started'>>): RunState {
  const [none, zero] = [[] as const, 0];
  return {
    ...{ started, lifeAt: started.at, lastAt: started.at, resumes: zero, stopAsked: false, dialogue: none },
    ...defined({ worktree: started.worktree }),
    ...{ leave: new Map(), requests: new Map(), setAside: none, phasesEnded: none, interventions: none },
    cutOffs: noCutOffs,
    ...{ crashes: zero, metLimits: new Map(), unusable: new Set(), waitedMs: zero, pausedMs: zero },
    stoppedMs: zero,
    ...{ tasks: new Map(), fixes: new Map(), replans: none },
    ...{ sessions: new Map(), caps: { settings: none, asked: none }, budgetsReached: none },
    ...{
      spentAt: new Map(),
      limits: new Map(),
      notes: none,
      lessons: none,
      turns: new Map(),
      workTimes: new Map(),
    },
    review: noReview,
    ...{ checks: zero, baseline: none, atEnd: none, knownRed: none, flakiness: noneFlaky, violations: none },
    ...{ refused: none, refusedHosts: none, notices: none, rescues: none },
    ...{ lanes: new Map(), lanesUsed: new Set(), rescuesOf: new Map(), leftOut: none },
    ...{ leftOutOf: new Map(), kept: none },
  };
}
