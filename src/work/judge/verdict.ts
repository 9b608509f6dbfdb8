// The types between a round and its judge, and the verdicts on what ended a session from outside.
import type { Outcome } from '../../agent/session/session-plan.ts';
import { defined } from '../../defined.ts';
import type { ProofWord } from '../../event/task.ts';
import type { TreeProof } from '../../proof/task-proof.ts';
import type { Overspend } from '../budget/budget.ts';

export type SeenWork = Readonly<{
  reds: readonly string[];
  checks: CheckSummary | undefined;
  /** The checks are quick enough to run again after a correction. */
  quick: boolean;
  /** A session has changed the tree since the task first started. */
  changed: boolean;
  /** Files that the session wrote and git ignores: no commit holds them. */
  hidden: readonly string[];
  /** Changed files that a runner reads and the task does not name; in words. */
  readByChecks: readonly string[];
  /** Why green checks do not prove the commit, in words; empty if they do. */
  unproved: readonly string[];
  /** Where a task may close only as proven; absent once a person answered that. */
  proof?: TreeProof | undefined;
  /** Files that no tool call names, if that is all that changed, until a person says whose they are. */
  unnamed: readonly string[];
  /** Why it is right that nothing changed; absent if it is not. */
  needsNothing?: string | undefined;
}>;

export type JudgeFacts = SeenWork &
  Readonly<{
    outcome: Outcome;
    /** Of all its work, for the commit body. */
    summary: string;
    /** Its last words, if they ask something. */
    asks: string | undefined;
    /** Alive, accepts messages, and its context is less than half full. */
    canCorrect: boolean;
    asked: ReadonlySet<Exclude<CorrectionKind, 'red'>>;
    /** The agent takes no further message: silence counts as finished. */
    noFollowUp: boolean;
    correctionsLeft: number;
    attemptsLeft: number;
    /** A budget is spent: no further message, and no other session. */
    overspend?: Overspend | undefined;
    /** Why there may be more to spend: a person raised the budget, or it had only a share of the rest. */
    refunded?: 'raised' | 'part' | undefined;
    mayReplan?: boolean | undefined;
    /** A person's request that keeps the session from going on. */
    held?: Held | undefined;
    /** A stand-in that proved unable to work. */
    unusable?: string | undefined;
  }>;

export type Held = 'skip' | 'pause' | 'note';

export type CheckSummary = Readonly<{
  /** All but the excused. */
  ran: number;
  /** Known red: they neither prove nor prevent anything. */
  excused: number;
  red: readonly string[];
  /** A task check that was red before the task is green. */
  turnedGreen: boolean;
  /** The same, though others' work merged since may have done it. */
  wasRed: boolean;
  ownGreen: boolean;
}>;

export type CorrectionKind = 'red' | 'finished?' | 'nothing-changed' | 'ignored' | 'runner' | 'proof';

export type Verdict =
  | Readonly<{ kind: 'close'; proof: ProofWord; reason: string; summary: string }>
  | Readonly<{ kind: 'correct'; correction: CorrectionKind; reason: string }>
  /** `counts`: as an attempt. */
  | Readonly<{ kind: 'again'; reason: string; counts: boolean }>
  | Readonly<{
      kind: 'wait';
      why: 'limit' | 'overload' | 'crash';
      until?: number;
      reason: string;
      counts: boolean;
      suspectsLimit?: true;
      /** Why the run stops if waiting did not help; the default depends on `why`. */
      atLast?: Readonly<{ why: 'refused'; hint?: string }>;
    }>
  | Readonly<{ kind: 'park'; question: string; reason: string }>
  /** The agent asks for another plan, and a planner may be asked. */
  | Readonly<{ kind: 'replan'; reason: string }>
  | Readonly<{ kind: 'skip'; reason: string }>
  | Readonly<{ kind: 'fail'; reason: string }>
  | Readonly<{ kind: 'stop'; why: 'interrupted' | 'refused' | 'budget'; reason: string; hint?: string }>;

type Wait = Extract<Verdict, { kind: 'wait' }>;

/** The service will serve again. */
export function judgeService(outcome: Extract<Outcome, { kind: 'limited' | 'overloaded' }>): Wait {
  const { reason } = outcome;
  if (outcome.kind === 'limited')
    return { kind: 'wait', why: 'limit', ...defined({ until: outcome.until }), reason, counts: false };
  const { suspectsLimit } = outcome;
  return { kind: 'wait', why: 'overload', reason, counts: false, ...defined({ suspectsLimit }) };
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
