// What a run has spent. Unknown is never counted as 0.
import type { Tokens } from '../event/activity.ts';
import { addTokens } from '../event/tokens.ts';
import { waitOf } from '../event/waits.ts';
import { addWork, taskOf } from './fold-spending.ts';
import type { RunState, SessionState } from './state.ts';
import { personsTurn, type WorkTime } from './state-parts.ts';

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

/** Milliseconds. `stopped`: no pawl worked on it. `own`: pawl itself. */
export type TimeByDoing = WorkTime & Readonly<Record<'waiting' | 'paused' | 'stopped' | 'own', number>>;

export type Dollars = Readonly<{ costUsd: number; atLeast: boolean }>;

export function spentBy(state: RunState, filter: (session: SessionState) => boolean = () => true): Spent {
  return sumSpent([...state.sessions.values()].filter(filter));
}

/** Sessions may be of several runs. */
export function sumSpent(sessions: readonly SessionState[]): Spent {
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

/** `sinceMs`: epoch milliseconds, a multiple of a quarter of an hour. */
export function spentSince({ spentAt, sessions }: RunState, sinceMs: number): Dollars {
  const costUsd = [...spentAt].reduce((sum, [atMs, usd]) => (atMs >= sinceMs ? sum + usd : sum), 0);
  const isSince = ({ ended }: SessionState) => ended === undefined || Date.parse(ended.at) >= sinceMs;
  return {
    costUsd,
    atLeast: [...sessions.values()].some((session) => isLowerBound(session) && isSince(session)),
  };
}

/** Milliseconds, without times between the run's starts. */
export function timeTaken(state: RunState, nowMs: number): number {
  const { waiting, pause } = state;
  const since = waiting && waitOf[waiting.why] === 'person' ? waiting.at : pause?.since;
  const restingMs = since === undefined ? 0 : Math.max(0, nowMs - Date.parse(since));
  return Math.max(0, nowMs - Date.parse(state.started.at) - state.stoppedMs - state.pausedMs - restingMs);
}

export function countTokens({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

function isLowerBound(session: SessionState): boolean {
  return session.costUsd === undefined || session.ended === undefined || session.ended.costAtLeast;
}

/** `until`: ISO 8601; what goes on lasts until then. `atWorkMs`: by the clock. */
export function readTimes(
  state: RunState,
  until: string,
): Readonly<{ whole: TimeByDoing; byTask: ReadonlyMap<string, WorkTime>; atWorkMs: number }> {
  const { turns, workTimes, started, waiting, pause } = state;
  const { ended } = state.course;
  const untilMs = Date.parse(until);
  const endMs = Math.min(untilMs, ended ? Date.parse(ended.at) : untilMs);
  const since = (at: string | undefined) => (at === undefined ? 0 : Math.max(0, endMs - Date.parse(at)));
  const byTask = new Map(workTimes);
  for (const [session, fromMs] of turns) {
    const { key, value } = addWork(byTask, taskOf(state, session), { working: Math.max(0, endMs - fromMs) });
    byTask.set(key, value);
  }
  const sum = (of: keyof WorkTime) => [...byTask.values()].reduce((total, time) => total + time[of], 0);
  const isPersons = waiting !== undefined && waitOf[waiting.why] === 'person';
  const waits = state.waitedMs + (isPersons ? 0 : since(waiting?.at)) + since(personsTurn(state.dialogue));
  const paused = state.pausedMs + (isPersons ? since(waiting.at) : since(pause?.since));
  const stopped = state.stoppedMs + untilMs - endMs;
  const atWorkMs = Math.max(0, untilMs - Date.parse(started.at) - waits - paused - stopped);
  const work = { working: sum('working'), checking: sum('checking') };
  const own = Math.max(0, atWorkMs - work.working - work.checking);
  return { whole: { ...work, waiting: waits, paused, stopped: Math.max(0, stopped), own }, byTask, atWorkMs };
}
