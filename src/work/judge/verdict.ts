// The types between a round and its judge: what was seen, and what follows.
import type { Outcome } from '../../agent/session/outcome.ts';
import type { Overspend } from '../budget/overspend.ts';

/** What pawl saw after a turn. */
export type Seen = Readonly<{
  outcome: Outcome;
  /** What the session says of all its work, for the commit's body. */
  summary: string;
  /** The session's last words, where they ask something. */
  asks: string | undefined;
  /** The process lives, takes messages, and its context is under half full. */
  canCorrect: boolean;
  /** Questions already put to this session. */
  asked: ReadonlySet<Exclude<CorrectionKind, 'red'>>;
  /** The agent takes no follow-up at all, so that silence counts as finished. */
  noFollowUp: boolean;
  correctionsLeft: number;
  attemptsLeft: number;
  /** Reasons of the guard against this round, in words. */
  reds: readonly string[];
  /** Undefined when no check was run. */
  checks: CheckSummary | undefined;
  /** A session changed the tree since the task's first start. */
  changed: boolean;
  /** Files the session wrote that git ignores: no commit will have them. */
  hidden: readonly string[];
  /** Files the session changed that a check's runner reads by itself, and the task does not name; in words. */
  readByChecks: readonly string[];
  /** Why green checks are no proof of what would be committed, in words; empty: they are. */
  unproved: readonly string[];
  /** Why it is right where nothing was changed, such as findings that are all rejected; absent: it is not. */
  needsNothing?: string | undefined;
  /** A budget is spent: nothing more may be asked of this session, nor of another. */
  overspend?: Overspend | undefined;
  /** The checks were quick enough to be run again for a correction. */
  quick: boolean;
  /** Why there may be more than the session was handed: a person set another budget meanwhile, or it had a part of what was left. */
  refunded?: 'raised' | 'part' | undefined;
  /** The agent may ask for another plan. */
  mayReplan?: boolean | undefined;
  /** What a person asked meanwhile that keeps the session from going on. */
  held?: Held | undefined;
  /** Who stood in for an agent at its limit, and turned out to be unable to. */
  unusable?: string | undefined;
}>;

/** A person's word that ends a round: the task is passed over, the run rests first, or a fresh session is told something. */
export type Held = 'skip' | 'pause' | 'note';

/** What the checks said. */
export type CheckSummary = Readonly<{
  /** Those that count: all but the excused. */
  ran: number;
  /** Red, and known to be: they prove nothing and stand in nobody's way. */
  excused: number;
  /** Commands that are not green. */
  red: readonly string[];
  /** A task check that was red before the task is green now. */
  turnedGreen: boolean;
  /** A check of the task's own is green. */
  ownGreen: boolean;
}>;

export type CorrectionKind = 'red' | 'finished?' | 'nothing-changed' | 'ignored' | 'runner';

/** What a round concluded, and why in words. */
export type Verdict =
  | Readonly<{ kind: 'close'; proof: 'checked' | 'unchecked'; reason: string; summary: string }>
  | Readonly<{ kind: 'correct'; correction: CorrectionKind; reason: string }>
  /** A fresh session; `counts`: as an attempt. */
  | Readonly<{ kind: 'again'; reason: string; counts: boolean }>
  | Readonly<{
      kind: 'wait';
      why: 'limit' | 'overload' | 'crash';
      until?: number;
      reason: string;
      counts: boolean;
      /** It may be a usage limit. */
      suspectsLimit?: true;
      /** What the run stops for where waiting did not help; default by `why`. */
      atLast?: Readonly<{ why: 'refused'; hint?: string }>;
    }>
  | Readonly<{ kind: 'park'; question: string; reason: string }>
  /** The agent asks for another plan, and a planner may be asked. */
  | Readonly<{ kind: 'replan'; reason: string }>
  /** Passed over, as a person asked. */
  | Readonly<{ kind: 'skip'; reason: string }>
  | Readonly<{ kind: 'fail'; reason: string }>
  | Readonly<{ kind: 'stop'; why: 'interrupted' | 'refused' | 'budget'; reason: string; hint?: string }>;
