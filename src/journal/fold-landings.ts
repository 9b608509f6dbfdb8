// Folds what came of working on several tasks at once: the order in which they landed, what stood in the way, and how much
// work was done in how much time.
import type { Fact, FactOf, Stamped } from '../event.ts';

/** What lanes did; times are in milliseconds. */
export type Landings = Readonly<{
  /** Tasks in the order in which they landed, each with its lane. */
  order: readonly Readonly<{ task: string; lane: number }>[];
  /** Lanes in which a task was worked on. */
  lanes: ReadonlySet<number>;
  /** How often a lane's work was merged with what had landed meanwhile. */
  caughtUp: number;
  givenBack: readonly FactOf<'landing-given-back'>[];
  /** Checks that were red on merged work, and green when run alone. */
  flaky: readonly FactOf<'landing-rerun'>[];
  /** A person's files that did not follow the branch. */
  kept: readonly string[];
  /** Time that tasks waited to land. */
  waitedMs: number;
  /** Time in which tasks were worked on, with concurrent ones added up. */
  workMs: number;
  busyMs: number;
  clock: LaneClock;
}>;

/** What is going on as of the last fact. */
type LaneClock = Readonly<{
  at: number;
  /** Lanes with a task in work. */
  open: ReadonlySet<number>;
  /** The run is waiting, resting or over: nobody works. */
  still: boolean;
}>;

export const noLandings: Landings = {
  order: [],
  lanes: new Set(),
  caughtUp: 0,
  givenBack: [],
  flaky: [],
  kept: [],
  waitedMs: 0,
  workMs: 0,
  busyMs: 0,
  clock: { at: 0, open: new Set(), still: false },
};

/** After one more fact; returns the same value if no lane was ever at work. */
export function foldLandings(landings: Landings, fact: Stamped<Fact>): Landings {
  if (landings.lanes.size === 0 && fact.lane === undefined) return landings;
  return foldFact(passTime(landings, fact), fact);
}

/** Until a new start, nobody was there. */
function passTime(landings: Landings, fact: Stamped<Fact>): Landings {
  const { clock, workMs, busyMs } = landings;
  const at = Date.parse(fact.at);
  const isWork = !clock.still && clock.open.size > 0 && fact.type !== 'run-resumed';
  const ms = isWork ? Math.max(0, at - clock.at) : 0;
  return {
    ...landings,
    workMs: workMs + ms * clock.open.size,
    busyMs: busyMs + ms,
    clock: moveOn({ ...clock, at }, fact),
  };
}

function moveOn(clock: LaneClock, fact: Stamped<Fact>): LaneClock {
  const { lane } = fact;
  switch (fact.type) {
    case 'run-ended':
    case 'run-resumed':
      return { ...clock, open: new Set(), still: false };
    case 'waiting':
    case 'paused':
      return { ...clock, still: true };
    case 'waited':
      return { ...clock, still: false };
    case 'intervention':
      return fact.kind === 'continue' ? { ...clock, still: false } : clock;
    case 'task-started':
    case 'attempt-started':
      return lane === undefined ? clock : { ...clock, open: new Set(clock.open).add(lane) };
    case 'task-closed':
    case 'task-set-aside':
      return { ...clock, open: new Set([...clock.open].filter((other) => other !== lane)) };
  }
  return clock;
}

function foldFact(landings: Landings, fact: Stamped<Fact>): Landings {
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
    case 'lane-caught-up':
      return { ...landings, caughtUp: landings.caughtUp + 1 };
    case 'landing-given-back':
      return { ...landings, givenBack: [...landings.givenBack, fact] };
    case 'landing-waited':
      return {
        ...landings,
        waitedMs: landings.waitedMs + fact.ms,
        workMs: Math.max(0, landings.workMs - fact.ms),
      };
    case 'landing-rerun':
      return fact.result === 'green' ? { ...landings, flaky: [...landings.flaky, fact] } : landings;
    case 'trunk-kept':
      return { ...landings, kept: [...new Set([...landings.kept, ...fact.files])] };
  }
  return landings;
}
