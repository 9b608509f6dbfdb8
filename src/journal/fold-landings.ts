// Folds what came of several tasks at once: the order of landings, and what stood in the way.
import type { Fact, FactOf, Stamped } from '../event.ts';

export type Landings = Readonly<{
  /** In the order in which they landed. */
  order: readonly Readonly<{ task: string; lane: number }>[];
  /** Lanes in which a task was worked on. */
  lanes: ReadonlySet<number>;
  /** Merges of a lane's work with what had landed. */
  caughtUp: number;
  givenBack: readonly FactOf<'landing-given-back'>[];
  /** A person's files that did not follow the branch. */
  kept: readonly string[];
  /** How long tasks waited to land, milliseconds. */
  waitedMs: number;
}>;

export const noLandings: Landings = {
  order: [],
  lanes: new Set(),
  caughtUp: 0,
  givenBack: [],
  kept: [],
  waitedMs: 0,
};

/** Returns the same value if no lane was ever at work. */
export function foldLandings(landings: Landings, fact: Stamped<Fact>): Landings {
  if (landings.lanes.size === 0 && fact.lane === undefined) return landings;
  const { lane } = fact;
  switch (fact.type) {
    case 'task-started':
    case 'attempt-started':
      if (lane === undefined) return landings;
      return { ...landings, lanes: new Set(landings.lanes).add(lane) };
    case 'task-closed':
      return lane === undefined
        ? landings
        : { ...landings, order: [...landings.order, { task: fact.task, lane }] };
    case 'lane':
      return fact.state === 'caught-up' ? { ...landings, caughtUp: landings.caughtUp + 1 } : landings;
    case 'landing':
      return foldLanding(landings, fact);
  }
  return landings;
}

function foldLanding(landings: Landings, fact: FactOf<'landing'>): Landings {
  switch (fact.state) {
    case 'given-back':
      return { ...landings, givenBack: [...landings.givenBack, fact] };
    case 'waited':
      return { ...landings, waitedMs: landings.waitedMs + fact.ms };
    case 'kept':
      return { ...landings, kept: [...new Set([...landings.kept, ...fact.files])] };
  }
}
