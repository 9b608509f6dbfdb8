// Adds up what a part of a run took: sessions, attempts, corrections, tokens, cost and time. Pure; run-stats.ts decides the
// parts.
import { type Spent, sumSpent, sumTokens } from './ledger.ts';
import type { SessionState } from './state.ts';
import { sumTimes, type TimeByDoing } from './timeline.ts';

export type Tally = Readonly<{
  sessions: number;
  /** Fresh sessions for a task; one that was continued counts once. */
  attempts: number;
  corrections: number;
  spent: Spent;
  ms: TimeByDoing;
}>;

/** Counts sessions; `ms`: the time of what they are part of. */
export function tallySessions(sessions: readonly SessionState[], ms: TimeByDoing): Tally {
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
    ms: sumTimes(tallies.map(({ ms }) => ms)),
  };
}
