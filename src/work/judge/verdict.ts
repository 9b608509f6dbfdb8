// The types between a round and its judge: what was seen, and what follows.
import type { Outcome } from '../../agent/session/outcome.ts';
import type { ProofWord } from '../../event/proof.ts';
import type { TreeProof } from '../../proof/task-proof.ts';
import type { Overspend } from '../budget/overspend.ts';

export type SeenWork = Readonly<{
  reds: readonly string[];
  checks: CheckSummary | undefined;
  /** The checks were quick enough to run again after a correction. */
  quick: boolean;
  /** A session has changed the tree since the task first started. */
  changed: boolean;
  /** Files the session wrote that git ignores: no commit will contain them. */
  hidden: readonly string[];
  /** Files the session changed that a check's runner reads by itself and the task does not name; in words. */
  readByChecks: readonly string[];
  /** Why green checks do not prove what would be committed, in words; empty if they do. */
  unproved: readonly string[];
  /** What experiments say, where a task may close only as proven and no person has answered yet. */
  proof?: TreeProof | undefined;
  /** Files that nothing of the session's names, if they are all that changed and no person has said yet whose they are. */
  unnamed: readonly string[];
  /** Why it is right that nothing was changed, such as all findings being rejected; absent if it is not. */
  needsNothing?: string | undefined;
}>;

/** That, and how the turn ended and what may follow it. */
export type Seen = SeenWork &
  Readonly<{
    outcome: Outcome;
    /** What the session says about all its work, for the commit body. */
    summary: string;
    /** The session's last words, if they ask something. */
    asks: string | undefined;
    /** The process is alive, accepts messages, and its context is less than half full. */
    canCorrect: boolean;
    asked: ReadonlySet<Exclude<CorrectionKind, 'red'>>;
    /** The agent accepts no further messages, so silence counts as finished. */
    noFollowUp: boolean;
    correctionsLeft: number;
    attemptsLeft: number;
    /** A budget is spent: no further message to this session, and no other session. */
    overspend?: Overspend | undefined;
    /**
     * Why there may be more than the session was given: a person has raised the budget since, or it had only a share of the
     * rest.
     */
    refunded?: 'raised' | 'part' | undefined;
    mayReplan?: boolean | undefined;
    /** A request by a person that keeps the session from going on. */
    held?: Held | undefined;
    /** The stand-in for an agent at its limit, if it proved unable to work. */
    unusable?: string | undefined;
  }>;

export type Held = 'skip' | 'pause' | 'note';

export type CheckSummary = Readonly<{
  /** Checks that count: all but the excused. */
  ran: number;
  /** Red, and known to be: they neither prove nor prevent anything. */
  excused: number;
  red: readonly string[];
  /** A task check that was red before the task is green now. */
  turnedGreen: boolean;
  /** The same, though others' work was merged since, which may have turned it green. */
  wasRed?: boolean;
  ownGreen: boolean;
}>;

export type CorrectionKind = 'red' | 'finished?' | 'nothing-changed' | 'ignored' | 'runner' | 'proof';

export type Verdict =
  | Readonly<{ kind: 'close'; proof: ProofWord; reason: string; summary: string }>
  | Readonly<{ kind: 'correct'; correction: CorrectionKind; reason: string }>
  /** A fresh session; `counts`: this one counts as an attempt. */
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
