// Folds facts about one session.
import { defined } from '../defined.ts';
import type { Tokens } from '../event/activity.ts';
import type { Fact, Stamped } from '../event.ts';
import type { Draft } from './fold-run.ts';
import { type Fresh, put } from './fresh-map.ts';
import type { SessionState } from './state.ts';

export function foldIntoSession(draft: Draft, fact: Stamped<Fact>, fresh: Fresh): void {
  if (fact.type === 'session-started') {
    draft.sessions = put(draft.sessions, fresh, [fact.session, { started: fact }]);
    return;
  }
  if (!('session' in fact) || fact.session === undefined) return;
  const session = draft.sessions.get(fact.session);
  const change = session && changeOfSession(session, fact);
  if (change) draft.sessions = put(draft.sessions, fresh, [fact.session, { ...session, ...change }]);
}

/** Undefined if nothing changed. */
function changeOfSession(
  { corrections = 0 }: SessionState,
  fact: Stamped<Fact>,
): Partial<SessionState> | undefined {
  switch (fact.type) {
    case 'session-ready':
      return { ready: fact };
    case 'session-cost':
      return { costUsd: fact.costUsd, ...tokensOf(fact) };
    case 'correction-sent':
      return { corrections: corrections + 1 };
    case 'turn-ended':
      return fact.contextShare === undefined ? undefined : { contextShare: fact.contextShare };
    case 'session-ended':
      return {
        ended: fact,
        ...defined({ costUsd: fact.costUsd }),
        ...tokensOf(fact),
      };
  }
  return undefined;
}

function tokensOf({ tokens }: Readonly<{ tokens?: Tokens | undefined }>): { tokens?: Tokens } {
  return defined({ tokens });
}
