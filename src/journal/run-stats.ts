// The statistics of a run, in total and by task, phase, role, agent and model; and of several runs together. A pure fold
// over the journal.
import { defined } from '../defined.ts';
import { listConflicts } from '../event/lane.ts';
import type { Fact, Stamped } from '../event.ts';
import type { Landings } from './fold-landings.ts';
import { type Interventions, meanInterventions } from './interventions.ts';
import type { RunState, SessionState, TaskState } from './state.ts';
import { sumTallies, type Tally, tallySessions } from './tally.ts';
import { listSpans, listSpansByClock, phasesOfSessions, type Span } from './timeline.ts';

/** A part of a run and its name: a task's id, a phase, a role, an agent, a model, a run. */
export type Part = Readonly<{ name: string; title?: string; tally: Tally }>;

/** The parts of a run, for each way of dividing it. */
export type Parts = Readonly<Record<'tasks' | 'phases' | 'roles' | 'agents' | 'models', readonly Part[]>>;

/** The statistics of one run. Instants are ISO 8601 in UTC. */
export type RunStats = Parts &
  Readonly<{
    run: string;
    plan: string;
    title: string;
    startedAt: string;
    /** Instant of the last fact. */
    lastAt: string;
    /** All tasks are closed and the last phase has ended. */
    finished: boolean;
    closed: number;
    total: number;
    /** Sessions and checks of concurrent tasks add up; all other time is by the clock. */
    whole: Tally;
    /** Planners that were asked to change the plan, by result. */
    replans: Readonly<Record<string, number>>;
    interventions: Interventions;
    /** What lanes did; absent if tasks were worked on one after the other. */
    atOnce?: AtOnce;
  }>;

/** How several tasks were worked on at once. Times are in milliseconds. */
export type AtOnce = Readonly<{
  lanes: number;
  workMs: number;
  busyMs: number;
  waitedMs: number;
  landed: number;
  caughtUp: number;
  conflicts: number;
  redTogether: number;
  flaky: number;
  /** How often each file was in conflict: what the tasks’ `files:` could keep apart. */
  byFile: Readonly<Record<string, number>>;
}>;

/** Statistics of several runs together; `runs` has one part for each. */
export type Together = Parts &
  Readonly<{ runs: readonly Part[]; whole: Tally; interventions: Interventions }>;

/**
 * The statistics of a run; `state` is the fold of the same facts. `until`, ISO 8601: now, for a run that is still going on.
 */
export function tallyRun(facts: readonly Stamped<Fact>[], state: RunState, until?: string): RunStats {
  const sessions = [...state.sessions.values()];
  const spans = listSpans(facts, until);
  const corrections = facts.flatMap((fact) => (fact.type === 'correction-sent' ? fact.session : []));
  const phases = phasesOfSessions(facts);
  const part = (nameOf: Naming): readonly Part[] => partBy({ sessions, spans, corrections }, nameOf);
  const find = (number: number | undefined) => state.sessions.get(number ?? Number.NaN);
  const added = tallySessions(sessions, spans, corrections);
  const { ms: clock } = tallySessions([], listSpansByClock(facts, until), []);
  // Sessions and checks of all lanes add up; the rest of the time is the run's, by the clock.
  const whole = { ...added, ms: { ...clock, working: added.ms.working, checking: added.ms.checking } };
  const tasks = [...state.tasks.values()];
  const byTask = part({ session: ({ started }) => started.task, span: ({ task }) => task });
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
    replans: countReplans(state),
    tasks: inPlansOrder(byTask, tasks),
    phases: part({ session: ({ started }) => phases.get(started.session), span: ({ phase }) => phase }),
    roles: part(bySession(({ started }) => started.role, find)),
    agents: part(bySession(({ started }) => started.agent, find)),
    models: part(bySession(modelOf, find)),
    interventions: meanInterventions([state], clock.working + clock.checking + clock.own),
    ...(state.landings.lanes.size === 0 ? {} : { atOnce: countLandings(state.landings) }),
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
  const merge = (parting: keyof Parts) => mergeParts(all.flatMap((stats) => stats[parting]));
  const lists = all.map(({ interventions }) => ({
    interventions: interventions.list as RunState['interventions'],
  }));
  return {
    runs: all.map(({ run, title, whole: tally }) => ({ name: run, title, tally })),
    whole,
    tasks: [],
    phases: merge('phases'),
    roles: merge('roles'),
    agents: merge('agents'),
    models: merge('models'),
    interventions: meanInterventions(
      lists,
      all.reduce((sum, { interventions: { atWorkMs } }) => sum + atWorkMs, 0),
    ),
  };
}

function countLandings(landings: Landings): AtOnce {
  const { order, lanes, workMs, busyMs, waitedMs, caughtUp, givenBack, flaky } = landings;
  const conflicts = listConflicts(givenBack);
  const files = conflicts.flatMap((fact) => fact.files);
  return {
    lanes: lanes.size,
    workMs,
    busyMs,
    waitedMs,
    landed: order.length,
    caughtUp,
    conflicts: conflicts.length,
    redTogether: givenBack.filter(({ why }) => why === 'red').length,
    flaky: flaky.length,
    byFile: Object.fromEntries(
      [...Map.groupBy(files, (file) => file)].map(([file, all]) => [file, all.length]),
    ),
  };
}

function countReplans({ replans }: RunState): Record<string, number> {
  const results = replans.map(({ ended }) => ended?.result ?? 'open');
  return Object.fromEntries(
    [...Map.groupBy(results, (result) => result)].map(([result, all]) => [result, all.length]),
  );
}

type Naming = Readonly<{
  session: (session: SessionState) => string | undefined;
  span: (span: Span) => string | undefined;
}>;

/** A session's time is from its start to its end, including its checks. */
function bySession(
  name: (session: SessionState) => string,
  find: (number: number | undefined) => SessionState | undefined,
): Naming {
  return {
    session: name,
    span: ({ session }) => {
      const found = find(session);
      return found && name(found);
    },
  };
}

function modelOf({ ready, started }: SessionState): string {
  return ready?.model || started.model || `${started.agent}, its default`;
}

function partBy(
  {
    sessions,
    spans,
    corrections,
  }: { sessions: readonly SessionState[]; spans: readonly Span[]; corrections: readonly number[] },
  nameOf: Naming,
): readonly Part[] {
  const spansOf = Map.groupBy(spans, nameOf.span);
  const sessionsOf = Map.groupBy(sessions, nameOf.session);
  const names = new Set([...spansOf.keys(), ...sessionsOf.keys()]);
  const numbers = new Map(sessions.map((session) => [session.started.session, nameOf.session(session)]));
  const correctionsOf = Map.groupBy(corrections, (session) => numbers.get(session));
  return [...names].flatMap((name) => {
    if (name === undefined) return [];
    const tally = tallySessions(
      sessionsOf.get(name) ?? [],
      spansOf.get(name) ?? [],
      correctionsOf.get(name) ?? [],
    );
    return [{ name, tally }];
  });
}

function mergeParts(parts: readonly Part[]): readonly Part[] {
  return [...new Set(parts.map(({ name }) => name))].map((name) => ({
    name,
    tally: sumTallies(parts.filter((part) => part.name === name).map(({ tally }) => tally)),
  }));
}
