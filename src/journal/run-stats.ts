// The statistics of a run, in total and by task; and of several runs together. A pure fold over the journal.
import { defined } from '../defined.ts';
import { type Interventions, meanInterventions } from './interventions.ts';
import type { RunState, SessionState, TaskState } from './state.ts';
import { sumTallies, type Tally, tallySessions } from './tally.ts';
import { readTimes, sumTimes, type TimeByDoing } from './timeline.ts';

/** A task of a run, or a run of several, and what it took. */
export type Part = Readonly<{ name: string; title?: string; tally: Tally }>;

/** The statistics of one run. Instants are ISO 8601 in UTC. */
export type RunStats = Readonly<{
  run: string;
  plan: string;
  title: string;
  startedAt: string;
  lastAt: string;
  /** All tasks are closed and the last phase has ended. */
  finished: boolean;
  closed: number;
  total: number;
  /** Sessions and checks of concurrent tasks add up; all other time is by the clock. */
  whole: Tally;
  interventions: Interventions;
  tasks: readonly Part[];
}>;

/** Statistics of several runs together; `runs` has one part for each. */
export type Together = Readonly<{ runs: readonly Part[]; whole: Tally; interventions: Interventions }>;

/** The statistics of a run. `until`, ISO 8601: now, for a run that is still going on. */
export function tallyRun(state: RunState, until = state.lastAt): RunStats {
  const sessions = [...state.sessions.values()];
  const { clock, whole: added, byTask } = readTimes(state.times, until);
  // Sessions and checks of all lanes add up; the rest of the time is the run's, by the clock.
  const whole = tallySessions(sessions, { ...clock, working: added.working, checking: added.checking });
  const tasks = [...state.tasks.values()];
  return {
    run: state.started.run,
    plan: state.archived?.to ?? state.started.plan,
    title: state.started.title,
    startedAt: state.started.at,
    lastAt: state.lastAt,
    finished: state.ended?.finished ?? false,
    closed: tasks.filter(({ standing }) => standing === 'closed').length,
    total: tasks.length,
    whole,
    interventions: meanInterventions([state], clock.working + clock.checking + clock.own),
    tasks: inPlansOrder(listParts(sessions, byTask), tasks),
  };
}

/** The plan's tasks in its order, in however many lanes; other work follows. */
function inPlansOrder(parts: readonly Part[], tasks: readonly TaskState[]): readonly Part[] {
  const places = new Map(tasks.map(({ id }, at) => [id, at]));
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const placeOf = ({ name }: Part) => places.get(name) ?? tasks.length;
  return parts
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((one) => ({ ...one, ...defined({ title: titles.get(one.name) }) }));
}

/** Adds up runs; their interventions are merged. */
export function tallyTogether(all: readonly RunStats[]): Together {
  const whole = sumTallies(all.map((stats) => stats.whole));
  const lists = all.map(({ interventions }) => ({
    interventions: interventions.list as RunState['interventions'],
  }));
  return {
    runs: all.map(({ run, title, whole: tally }) => ({ name: run, title, tally })),
    whole,
    interventions: meanInterventions(
      lists,
      all.reduce((sum, { interventions: { atWorkMs } }) => sum + atWorkMs, 0),
    ),
  };
}

function listParts(
  sessions: readonly SessionState[],
  byTask: ReadonlyMap<string, TimeByDoing>,
): readonly Part[] {
  const sessionsOf = Map.groupBy(sessions, ({ started }) => started.task);
  return [...new Set([...byTask.keys(), ...sessionsOf.keys()])].flatMap((name) =>
    name === undefined
      ? []
      : [{ name, tally: tallySessions(sessionsOf.get(name) ?? [], byTask.get(name) ?? sumTimes([])) }],
  );
}
