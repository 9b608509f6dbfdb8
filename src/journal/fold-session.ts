// What one fact changes about one session: how it began, what it cost, how it ended.
import type { Tokens } from '../event/activity.ts';
import type { Fact, Stamped } from '../event.ts';
import type { SessionState } from './state.ts';

/** The changed fields of a session that has begun; undefined when there are none. */
export function changeOfSession(fact: Stamped<Fact>): Partial<SessionState> | undefined {
  switch (fact.type) {
    case 'session-ready':
      return { ready: fact };
    case 'session-cost':
      return { costUsd: fact.costUsd, ...tokensOf(fact) };
    case 'turn-ended':
      return fact.contextShare === undefined ? undefined : { contextShare: fact.contextShare };
    case 'session-ended':
      return {
        ended: fact,
        ...(fact.costUsd === undefined ? {} : { costUsd: fact.costUsd }),
        ...tokensOf(fact),
      };
  }
  return undefined;
}

function tokensOf({ tokens }: Readonly<{ tokens?: Tokens | undefined }>): { tokens?: Tokens } {
  return tokens === undefined ? {} : { tokens };
}
