// The verdict on a session that ended for an external reason. Pure.
import type { Outcome } from '../../agent/session/outcome.ts';
import { defined } from '../../defined.ts';
import type { Seen, Verdict } from './verdict.ts';

/** A crash that changed something counts as an attempt. */
export function judgeOutage(
  seen: Seen,
  outcome: Extract<Outcome, { kind: 'limited' | 'overloaded' | 'crashed' }>,
): Verdict {
  if (outcome.kind === 'limited') {
    const until = defined({ until: outcome.until });
    return { kind: 'wait', why: 'limit', ...until, reason: outcome.reason, counts: false };
  }
  const suspectsLimit = outcome.kind === 'overloaded' ? outcome.suspectsLimit : undefined;
  const counts = outcome.kind === 'crashed' && seen.changed;
  if (counts && seen.attemptsLeft <= 1) return { kind: 'fail', reason: outcome.reason };
  return {
    kind: 'wait',
    why: outcome.kind === 'crashed' ? 'crash' : 'overload',
    reason: outcome.reason,
    counts,
    ...defined({ suspectsLimit }),
  };
}

/** The agent's program was there before: waits as for a crash. */
export function judgeAbsence({ reason, remedies }: Extract<Outcome, { kind: 'refused' }>): Verdict {
  const atLast = { why: 'refused', ...hintOf(remedies) } as const;
  return { kind: 'wait', why: 'crash', reason, counts: false, atLast };
}

/** A stand-in could not work: the next agent is chosen, or the limit waited for. */
export function judgeUnusable(agent: string, outcome: Outcome): Extract<Verdict, { kind: 'wait' }> {
  const [remedy] = outcome.kind === 'refused' ? outcome.remedies : [];
  const reason = `${agent} cannot stand in: ${outcome.reason}${remedy === undefined ? '' : `; ${remedy}`}`;
  return { kind: 'wait', why: 'limit', reason, counts: false };
}

export function hintOf(remedies: readonly string[]): { hint?: string } {
  return remedies.length === 0 ? {} : { hint: remedies.join('\n') };
}
