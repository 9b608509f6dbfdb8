// What a run has spent, and how long it took. Unknown is never counted as 0.
import { addTokens, type Tokens } from '../event/activity.ts';
import { restsNow } from './fold-waits.ts';
import { oncePerState, type RunState, type SessionState } from './state.ts';

export type Spent = Readonly<{
  /** Absent if no session reported a cost. */
  costUsd?: number;
  /** `costUsd` is a lower bound: some cost is unknown or not final. */
  atLeast: boolean;
  sessions: number;
  /** Absent if no session reported any. */
  tokens?: Tokens;
  /** Some session reported none: `tokens` are a lower bound. */
  tokensAtLeast?: true;
}>;

/** Milliseconds in turns of sessions and in checks; what goes on at once adds up. */
export type WorkTime = Readonly<Record<'working' | 'checking', number>>;

/** Milliseconds by the clock. `atWork`: without waits, pauses and stops; `own`: of it, pawl itself. */
export type RunTimes = WorkTime &
  Readonly<Record<'waiting' | 'paused' | 'stopped' | 'own' | 'atWork', number>>;

/** Of a task or other work; '' is none. */
type WorkLedger = WorkTime & Readonly<{ spent: Spent; agents: readonly string[] }>;

export type Dollars = Readonly<{ costUsd: number; atLeast: boolean }>;

/** `until`, ISO 8601: what goes on lasts until then. Default: the last fact. */
export const readLedger = oncePerState((state, until: string | undefined = state.lastAt) => {
  const sessions = [...state.sessions.values()];
  const untilMs = Date.parse(until);
  const attempts = sessions.flatMap(({ started: { task, attempt } }) =>
    attempt === undefined ? [] : `${attempt} ${task}`,
  );
  return {
    spent: sumSpent(sessions),
    /** A continued session counts once. */
    attempts: new Set(attempts).size,
    corrections: sessions.reduce((sum, session) => sum + session.corrections, 0),
    times: readTimes(state, untilMs),
    byAgent: new Map([...Map.groupBy(sessions, agentOf)].map(([agent, its]) => [agent, sumSpent(its)])),
    byWork: readWorks(state, untilMs),
  };
});

function agentOf({ started: { agent } }: SessionState): string {
  return agent;
}

function readWorks(state: RunState, untilMs: number): ReadonlyMap<string, WorkLedger> {
  const { sessions, checkTimes } = state;
  const endMs = endOf(state, untilMs);
  const sessionsOf = Map.groupBy(sessions.values(), ({ started: { task = '' } }) => task);
  const works = new Set([...sessionsOf.keys(), ...checkTimes.keys()]);
  return new Map(
    [...works].map((work) => {
      const its = sessionsOf.get(work) ?? [];
      const working = its.reduce((sum, session) => sum + workedMs(state, session, endMs), 0);
      const agents = [...new Set(its.map(agentOf))];
      return [work, { spent: sumSpent(its), working, checking: checkTimes.get(work) ?? 0, agents }];
    }),
  );
}

function workedMs({ sleptMs }: RunState, { workedMs, turnAt }: SessionState, endMs: number): number {
  return workedMs + (turnAt === undefined ? 0 : Math.max(0, endMs - sleptMs - turnAt));
}

function sumSpent(sessions: readonly SessionState[]): Spent {
  const costs = sessions.flatMap(({ costUsd }) => costUsd ?? []);
  const tokens = sessions.flatMap((session) => session.tokens ?? []);
  return {
    ...(costs.length === 0 && sessions.length > 0 ? {} : { costUsd: costs.reduce((a, b) => a + b, 0) }),
    atLeast: sessions.some(isLowerBound),
    sessions: sessions.length,
    ...(tokens.length > 0 && { tokens: tokens.reduce(addTokens) }),
    ...(tokens.length > 0 && tokens.length < sessions.length && { tokensAtLeast: true }),
  };
}

/** By sessions that went on at `sinceMs`, epoch milliseconds, or later: whole, for no fact divides them. */
export function spentSince({ sessions }: RunState, sinceMs: number): Dollars {
  const since = [...sessions.values()].filter(({ overAt }) => !overAt || Date.parse(overAt) >= sinceMs);
  const costUsd = since.reduce((sum, session) => sum + (session.costUsd ?? 0), 0);
  return { costUsd, atLeast: since.some(isLowerBound) };
}

function isLowerBound(session: SessionState): boolean {
  return session.costUsd === undefined || session.ended === undefined || session.ended.costAtLeast;
}

export function countTokens({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

/** Milliseconds, without a person's pauses and times between the run's starts. */
export function timeTaken(state: RunState, nowMs: number): number {
  const { atWork, waiting } = readTimes(state, nowMs);
  return atWork + waiting;
}

function readTimes(state: RunState, untilMs: number): RunTimes {
  const { sessions, checkTimes, started } = state;
  const endMs = endOf(state, untilMs);
  const rests = { waiting: -state.asleepInWaitsMs, paused: 0, stopped: state.asleepMs + untilMs - endMs };
  for (const { as, from, to } of [...state.rests, ...restsNow(state)])
    rests[as] += Math.max(0, (to ? Date.parse(to) : endMs) - Date.parse(from));
  const { paused, stopped } = rests;
  const waiting = Math.max(0, rests.waiting);
  const atWork = Math.max(0, untilMs - Date.parse(started.at) - waiting - paused - stopped);
  const working = [...sessions.values()].reduce((sum, one) => sum + workedMs(state, one, endMs), 0);
  const checking = [...checkTimes.values()].reduce((sum, ms) => sum + ms, 0);
  const own = Math.max(0, atWork - working - checking);
  return { working, checking, waiting, paused, stopped: Math.max(0, stopped), own, atWork };
}

function endOf({ course: { ended } }: RunState, untilMs: number): number {
  return Math.min(untilMs, ended ? Date.parse(ended.at) : untilMs);
}
