// What a turn of a reviewer or planner yields: an opinion, none, or a stop. Pure. Only a session that ended
// by itself with a readable answer counts.
import type { Outcome } from '../../agent/session/outcome.ts';
import { defined } from '../../defined.ts';
import type { Opinion } from '../../event/finding.ts';
import type { Reading } from '../../finding/reading.ts';
import { judgeUnusable } from '../../work/judge/judge-outage.ts';
import type { Verdict } from '../../work/judge/verdict.ts';

export type Reply<T = Opinion> =
  | Readonly<{ kind: 'opinion'; opinion: T }>
  /** `isUnread`: the session finished, and can be asked once more. */
  | Readonly<{ kind: 'missing'; reason: string; isUnread: boolean }>
  /** A person ended it; it is asked again. */
  | Readonly<{ kind: 'held' }>
  | Extract<Verdict, { kind: 'wait' | 'stop' }>;

/** `isHalted`: a person ended it; `unusable`: the stand-in that could not work. */
export function judgeReply<T>(
  outcome: Outcome,
  reading: Reading<T>,
  { isHalted, unusable }: Readonly<{ isHalted: boolean; unusable?: string | undefined }>,
): Reply<T> {
  if (unusable !== undefined) return judgeUnusable(unusable, outcome);
  switch (outcome.kind) {
    case 'done':
    case 'already-done':
    case 'silent':
      return 'value' in reading
        ? { kind: 'opinion', opinion: reading.value }
        : { kind: 'missing', reason: reading.problem, isUnread: true };
    case 'failed':
    case 'needs-input':
    case 'replan':
    case 'crashed':
    case 'timed-out':
    case 'stuck':
    case 'unfinished':
    case 'over-budget':
      return { kind: 'missing', reason: outcome.reason, isUnread: false };
    case 'limited': {
      const until = defined({ until: outcome.until });
      return { kind: 'wait', why: 'limit', ...until, reason: outcome.reason, counts: false };
    }
    case 'overloaded': {
      const { reason, suspectsLimit } = outcome;
      return { kind: 'wait', why: 'overload', reason, counts: false, ...defined({ suspectsLimit }) };
    }
    case 'refused': {
      const hint = outcome.remedies.length === 0 ? {} : { hint: outcome.remedies.join('\n') };
      return { kind: 'stop', why: 'refused', reason: outcome.reason, ...hint };
    }
    case 'interrupted':
      return isHalted ? { kind: 'held' } : { kind: 'missing', reason: outcome.reason, isUnread: false };
  }
}
