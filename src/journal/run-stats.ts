// The figures of runs. Pure.
import { readTimes, type Spent, sumSpent, type TimeByDoing } from './ledger.ts';
import type { RunState, SessionState } from './state.ts';

export type Tally = Readonly<{
  sessions: number;
  /** A continued session counts once. */
  attempts: number;
  corrections: number;
  spent: Spent;
  /** Concurrent sessions and checks add up; other time is by the clock. */
  ms: TimeByDoing;
}>;

/** A start after a crash is nobody's act. */
export type Interventions = Readonly<{
  list: readonly Pick<RunState['interventions'][number], 'at' | 'kind' | 'text'>[];
  /** Milliseconds by the clock, without waits, pauses and stops. */
  atWorkMs: number;
  /** Mean time between interventions. */
  mtbiMs?: number;
}>;

export type RunStats = Readonly<{ whole: Tally; interventions: Interventions }>;

/** `until`, ISO 8601: now, for a run still going on. */
export function tallyRun(state: RunState, until = state.lastAt): RunStats {
  const { whole: ms, atWorkMs } = readTimes(state, until);
  return {
    whole: tallySessions([...state.sessions.values()], ms),
    interventions: meanInterventions(state.interventions, atWorkMs),
  };
}

function meanInterventions(acts: RunState['interventions'], atWorkMs: number): Interventions {
  const list = acts
    .map(({ at, kind, text }) => ({ at, kind, text }))
    .sort((a, b) => a.at.localeCompare(b.at));
  return { list, atWorkMs, ...(list.length === 0 ? {} : { mtbiMs: atWorkMs / list.length }) };
}

function tallySessions(sessions: readonly SessionState[], ms: TimeByDoing): Tally {
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
