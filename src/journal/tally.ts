// Adds up what a part of a run took: sessions, attempts, corrections, tokens, cost and time. Pure; run-stats.ts decides the
// parts.
import { type Spent, sumSpent, sumTokens } from './ledger.ts';
import type { SessionState } from './state.ts';
import { type Doing, doings, type TimelineSpan } from './timeline.ts';

export type Tally = Readonly<{
  sessions: number;
  /** Fresh sessions for a task; one that was continued counts once. */
  attempts: number;
  corrections: number;
  spent: Spent;
  /** Milliseconds by what was done. */
  ms: Readonly<Record<Doing, number>>;
}>;

/** Counts sessions, their time, and the run's corrections that went to one of them. */
export function tallySessions(
  sessions: readonly SessionState[],
  spans: readonly TimelineSpan[],
  corrections: readonly number[],
): Tally {
  const numbers = new Set(sessions.map(({ started }) => started.session));
  const attempts = sessions.flatMap(({ started: { task, attempt } }) =>
    attempt === undefined ? [] : `${attempt} ${task}`,
  );
  return {
    sessions: sessions.length,
    attempts: new Set(attempts).size,
    corrections: corrections.filter((session) => numbers.has(session)).length,
    spent: sumSpent(sessions),
    ms: sumMs((doing) => spans.reduce((sum, span) => (span.doing === doing ? sum + span.ms : sum), 0)),
  };
}

function sumMs(of: (doing: Doing) => number): Tally['ms'] {
  return Object.fromEntries(doings.map((doing) => [doing, of(doing)])) as Record<Doing, number>;
}

/** Adds up; a cost that none of them knows stays unknown. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  const spent = tallies.map((tally) => tally.spent).filter(({ sessions }) => sessions > 0);
  const costs = spent.flatMap(({ costUsd }) => costUsd ?? []);
  const tokens = spent.flatMap((one) => one.tokens ?? []);
  return {
    sessions: sum(({ sessions }) => sessions),
    attempts: sum(({ attempts }) => attempts),
    corrections: sum(({ corrections }) => corrections),
    spent: {
      ...(costs.length === 0 && spent.length > 0 ? {} : { costUsd: costs.reduce((a, b) => a + b, 0) }),
      atLeast: spent.some(({ atLeast }) => atLeast),
      sessions: sum(({ sessions }) => sessions),
      ...sumTokens(
        tokens,
        spent.every(({ tokens, tokensAtLeast }) => tokens && !tokensAtLeast),
      ),
    },
    ms: sumMs((doing) => sum(({ ms }) => ms[doing])),
  };
}
