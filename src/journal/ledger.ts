// What a run has spent, from its folded sessions. An unknown cost is never 0.
import type { Tokens } from '../event/activity.ts';
import type { RunState, SessionState } from './state.ts';

/** A sum of money that may be a lower bound: `atLeast` when some session's cost is unknown or not final. */
export type Spent = Readonly<{ costUsd: number; atLeast: boolean; sessions: number; tokens: Tokens }>;

const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** What the sessions that `filter` takes have spent, all of the run by default. */
export function spentBy(state: RunState, filter: (session: SessionState) => boolean = () => true): Spent {
  const sessions = [...state.sessions.values()].filter(filter);
  return sessions.reduce<Spent>(
    (sum, session) => ({
      costUsd: sum.costUsd + (session.costUsd ?? 0),
      atLeast: sum.atLeast || isLowerBound(session),
      sessions: sum.sessions + 1,
      tokens: addTokens(sum.tokens, session.tokens ?? noTokens),
    }),
    { costUsd: 0, atLeast: false, sessions: 0, tokens: noTokens },
  );
}

function isLowerBound(session: SessionState): boolean {
  return session.costUsd === undefined || session.ended === undefined || session.ended.costAtLeast;
}

/** All tokens of a sum, of every class. */
export function countTokens({ input, output, cacheRead, cacheWrite }: Tokens): number {
  return input + output + cacheRead + cacheWrite;
}

function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
}
