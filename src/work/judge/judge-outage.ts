// The verdict on a session that ended for an external reason. Pure.
import type { Outcome } from '../../agent/session/outcome.ts';
import { defined } from '../../defined.ts';
import type { Seen, Verdict } from './verdict.ts';

type Wait = Extract<Verdict, { kind: 'wait' }>;

/** The service will serve again. */
export function judgeService(outcome: Extract<Outcome, { kind: 'limited' | 'overloaded' }>): Wait {
  const { reason } = outcome;
  if (outcome.kind === 'limited')
    return { kind: 'wait', why: 'limit', ...defined({ until: outcome.until }), reason, counts: false };
  const { suspectsLimit } = outcome;
  return { kind: 'wait', why: 'overload', reason, counts: false, ...defined({ suspectsLimit }) };
}

/** One that changed something counts as an attempt. */
export function judgeCrash(seen: Seen, { reason }: Extract<Outcome, { kind: 'crashed' }>): Verdict {
  const counts = seen.changed;
  if (counts && seen.attemptsLeft <= 1) return { kind: 'fail', reason };
  return { kind: 'wait', why: 'crash', reason, counts };
}

/** The agent's program was there before: waits as for a crash. */
export function judgeAbsence({ reason, remedies }: Extract<Outcome, { kind: 'refused' }>): Verdict {
  const atLast = { why: 'refused', ...hintOf(remedies) } as const;
  return { kind: 'wait', why: 'crash', reason, counts: false, atLast };
}

/** A stand-in could not work: the next agent is chosen, or the limit waited for. */
export function judgeUnusable(agent: string, outcome: Outcome): Wait {
  const [remedy] = outcome.kind === 'refused' ? outcome.remedies : [];
  const reason = `${agent} cannot stand in: ${outcome.reason}${remedy === undefined ? '' : `; ${remedy}`}`;
  return { kind: 'wait', why: 'limit', reason, counts: false };
}

export function hintOf(remedies: readonly string[]): { hint?: string } {
  return remedies.length === 0 ? {} : { hint: remedies.join('\n') };
}
