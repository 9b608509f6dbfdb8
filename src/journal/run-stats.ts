// The figures of runs, and what a plan's tasks may take going by earlier ones. Pure.
import { defined } from '../defined.ts';
import { readTimes, type Spent, sumSpent } from './ledger.ts';
import type { RunState, SessionState, TaskState } from './state.ts';
import { noWorkTime, type TimeByDoing, type WorkTime } from './timeline.ts';

export type Tally<Time extends WorkTime = TimeByDoing> = Readonly<{
  sessions: number;
  /** A continued session counts once. */
  attempts: number;
  corrections: number;
  spent: Spent;
  ms: Time;
}>;

/** A start after a crash is nobody's act. */
export type Interventions = Readonly<{
  list: readonly Pick<RunState['interventions'][number], 'at' | 'kind' | 'text'>[];
  /** Milliseconds by the clock, without waits, pauses and stops. */
  atWorkMs: number;
  /** Mean time between interventions. */
  mtbiMs?: number;
}>;

/** A task of a run, or a run of several. */
export type Part<Time extends WorkTime = TimeByDoing> = Readonly<{
  name: string;
  title?: string;
  tally: Tally<Time>;
}>;

type TaskPart = Part<WorkTime>;

/** Instants are ISO 8601 in UTC. */
export type RunStats = Readonly<{
  run: string;
  plan: string;
  title: string;
  startedAt: string;
  lastAt: string;
  finished: boolean;
  closed: number;
  total: number;
  /** Concurrent sessions and checks add up; other time is by the clock. */
  whole: Tally;
  interventions: Interventions;
  tasks: readonly TaskPart[];
}>;

export type Together = Readonly<{ runs: readonly Part[]; whole: Tally; interventions: Interventions }>;

/** `until`, ISO 8601: now, for a run still going on. */
export function tallyRun(state: RunState, until = state.lastAt): RunStats {
  const sessions = [...state.sessions.values()];
  const { whole: ms, byTask, atWorkMs } = readTimes(state, until);
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
    whole: tallySessions(sessions, ms),
    interventions: meanInterventions(state.interventions, atWorkMs),
    tasks: inPlansOrder(listParts(sessions, byTask), tasks),
  };
}

/** In whatever lanes; other work follows. */
function inPlansOrder(parts: readonly TaskPart[], tasks: readonly TaskState[]): readonly TaskPart[] {
  const places = new Map(tasks.map(({ id }, at) => [id, at]));
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const placeOf = ({ name }: TaskPart) => places.get(name) ?? tasks.length;
  return parts
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((one) => ({ ...one, ...defined({ title: titles.get(one.name) }) }));
}

export type CountedRun = Readonly<{ stats: RunStats; state: RunState }>;

/** As if one run; attempts are numbered anew in each. */
export function tallyTogether(all: readonly CountedRun[]): Together {
  const wholes = all.map(({ stats }) => stats.whole);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const sessions = all.flatMap(({ state }) => [...state.sessions.values()]);
  return {
    runs: all.map(({ stats: { run, title, whole: tally } }) => ({ name: run, title, tally })),
    whole: {
      ...tallySessions(sessions, sumTimes(wholes.map(({ ms }) => ms))),
      attempts: sum(wholes.map(({ attempts }) => attempts)),
    },
    interventions: meanInterventions(
      all.flatMap(({ state }) => state.interventions),
      sum(all.map(({ stats }) => stats.interventions.atWorkMs)),
    ),
  };
}

function sumTimes(all: readonly TimeByDoing[]): TimeByDoing {
  const sum = (doing: keyof TimeByDoing) => all.reduce((total, ms) => total + ms[doing], 0);
  return {
    ...{ working: sum('working'), checking: sum('checking'), waiting: sum('waiting') },
    ...{ paused: sum('paused'), stopped: sum('stopped'), own: sum('own') },
  };
}

function meanInterventions(acts: RunState['interventions'], atWorkMs: number): Interventions {
  const list = acts
    .map(({ at, kind, text }) => ({ at, kind, text }))
    .sort((a, b) => a.at.localeCompare(b.at));
  return { list, atWorkMs, ...(list.length === 0 ? {} : { mtbiMs: atWorkMs / list.length }) };
}

function tallySessions<Time extends WorkTime>(sessions: readonly SessionState[], ms: Time): Tally<Time> {
  const attempts = sessions.flatMap(({ started: { task, attempt } }) =>
    attempt === undefined ? [] : `${attempt} ${task}`,
  );
  return {
    sessions: sessions.length,
    attempts: new Set(attempts).size,
    corrections: sessions.reduce((sum, { corrections = 0 }) => sum + corrections, 0),
    spent: sumSpent(sessions),
    ms,
  };
}

function listParts(
  sessions: readonly SessionState[],
  byTask: ReadonlyMap<string, WorkTime>,
): readonly TaskPart[] {
  const sessionsOf = Map.groupBy(sessions, ({ started }) => started.task);
  return [...new Set([...byTask.keys(), ...sessionsOf.keys()])].flatMap((name) =>
    !name ? [] : [{ name, tally: tallySessions(sessionsOf.get(name) ?? [], byTask.get(name) ?? noWorkTime) }],
  );
}

export type TaskTook = Readonly<{
  run: string;
  /** Milliseconds of its sessions and checks. */
  ms: number;
  /** Absent if unknown or a lower bound. */
  costUsd?: number;
}>;

/** `low`: every task like the median of the earlier ones. `high`: like the upper quartile. */
export type EstimateRange = Readonly<{ low: number; high: number }>;

/** Without a review. */
export type Estimate = Readonly<{
  ms: EstimateRange;
  /** Absent if no earlier cost is known. */
  costUsd?: EstimateRange;
  from: Readonly<{ tasks: number; runs: number }>;
}>;

/** Of closed tasks, without those that no session worked on, such as ones ticked by hand. */
export function tookOfTasks(state: RunState): readonly TaskTook[] {
  const { run, tasks } = tallyRun(state);
  return tasks.flatMap(({ name, tally }): TaskTook[] => {
    const { sessions, ms, spent } = tally;
    if (sessions === 0 || state.tasks.get(name)?.standing !== 'closed') return [];
    const known = spent.costUsd === undefined || spent.atLeast ? {} : { costUsd: spent.costUsd };
    return [{ run, ms: ms.working + ms.checking, ...known }];
  });
}

/** Undefined if there is nothing to go by. */
export function estimateTasks(count: number, took: readonly TaskTook[]): Estimate | undefined {
  if (took.length === 0 || count === 0) return undefined;
  const costs = took.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    ms: estimateRange(
      took.map(({ ms }) => ms),
      count,
    ),
    ...(costs.length === 0 ? {} : { costUsd: estimateRange(costs, count) }),
    from: { tasks: took.length, runs: new Set(took.map(({ run }) => run)).size },
  };
}

function estimateRange(values: readonly number[], count: number): EstimateRange {
  const sorted = values.toSorted((one, other) => one - other);
  return { low: quantile(sorted, 0.5) * count, high: quantile(sorted, 0.75) * count };
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
