// The close rules as one pure judgement: what was seen after a turn → what happens next, and why. It does nothing itself.

import type { Outcome } from '../../agent/outcome.ts';
import type { Overspend } from '../budget/overspend.ts';
import { count } from '../count.ts';
import { judgeOutage } from './judge-outage.ts';

/** What pawl saw after a turn. */
export type Seen = Readonly<{
  outcome: Outcome;
  /** What the session said at its end, for the commit's body. */
  summary: string;
  /** The session's last words ask something. */
  asks: boolean;
  /** The process lives, takes messages, and its context is under half full. */
  canCorrect: boolean;
  /** Questions already put to this session. */
  asked: ReadonlySet<'finished?' | 'nothing-changed'>;
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
  /** Why it is right where nothing was changed, such as findings that are all rejected; absent: it is not. */
  needsNothing?: string | undefined;
  /** A budget is spent: nothing more may be asked of this session, nor of another. */
  overspend?: Overspend | undefined;
  /** The checks were quick enough to be run again for a correction. */
  quick: boolean;
  /** A person set another budget while the session, which was handed its share of the old one, worked. */
  refunded?: boolean | undefined;
  /** The agent may ask for another plan. */
  mayReplan?: boolean | undefined;
  /** What a person asked meanwhile that keeps the session from going on. */
  held?: Held | undefined;
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

export type CorrectionKind = 'red' | 'finished?' | 'nothing-changed';

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
    }>
  | Readonly<{ kind: 'park'; question: string; reason: string }>
  /** The agent asks for another plan, and a planner may be asked. */
  | Readonly<{ kind: 'replan'; reason: string }>
  /** Passed over, as a person asked. */
  | Readonly<{ kind: 'skip'; reason: string }>
  | Readonly<{ kind: 'fail'; reason: string }>
  | Readonly<{ kind: 'stop'; why: 'interrupted' | 'refused' | 'budget'; reason: string; hint?: string }>;

/** Decides a round. Only green checks on a tree that a session changed close a task as checked. */
export function judgeRound(seen: Seen): Verdict {
  const { held } = seen;
  if (held === 'skip') return { kind: 'skip', reason: 'a person skipped it' };
  const verdict =
    judgeEnd(seen) ?? judgeRed(seen) ?? judgeUnfinished(seen) ?? judgeUnchanged(seen) ?? judgeClose(seen);
  if (verdict.kind !== 'correct' || held === undefined) return verdict;
  // Nobody knows how long it takes: the session is let go, and a fresh one gets the evidence.
  return { kind: 'again', reason: `${verdict.reason} (${heldWords[held]})`, counts: false };
}

const heldWords = { pause: 'a person paused the run', note: 'a person had a note for it' } as const;

/** Outcomes that end the round whatever the tree looks like. */
function judgeEnd(seen: Seen): Verdict | undefined {
  const { outcome } = seen;
  switch (outcome.kind) {
    case 'interrupted':
      if (seen.held !== undefined && seen.held !== 'skip')
        return { kind: 'again', reason: heldWords[seen.held], counts: false };
      return { kind: 'stop', why: 'interrupted', reason: 'interrupted' };
    case 'refused':
      return { kind: 'stop', why: 'refused', reason: outcome.reason, ...hintOf(outcome.remedies) };
    case 'over-budget':
      if (provedAnyway(seen)) return undefined;
      if (seen.refunded && !seen.overspend)
        return { kind: 'again', reason: `${outcome.reason}; a person has raised it`, counts: false };
      return { kind: 'stop', why: 'budget', reason: outcome.reason, ...seen.overspend };
    case 'needs-input':
      return { kind: 'park', question: outcome.reason, reason: 'the agent asks a person' };
    case 'limited':
    case 'overloaded':
    case 'crashed':
      return provedAnyway(seen) ? undefined : judgeOutage(seen, outcome);
    case 'replan':
      return judgeRequest(seen, outcome.reason);
    case 'failed':
      return provedAnyway(seen) ? undefined : retry(seen, `the agent gave up: ${outcome.reason}`);
    case 'done':
    case 'already-done':
    case 'silent':
    case 'timed-out':
    case 'stuck':
    case 'unfinished':
      return undefined;
  }
}

/** One more attempt has to be left for a plan that stays as it is. */
function judgeRequest(seen: Seen, asked: string): Verdict {
  const reason = `the agent asks for another plan: ${asked}`;
  return seen.mayReplan && seen.attemptsLeft > 1 ? { kind: 'replan', reason } : retry(seen, reason);
}

function hintOf(remedies: readonly string[]): { hint?: string } {
  return remedies.length === 0 ? {} : { hint: remedies.join('\n') };
}

/** Reds of the guard and of the checks: a correction while it is cheap, then a fresh attempt. */
function judgeRed(seen: Seen): Verdict | undefined {
  const red = [...seen.reds, ...(seen.checks?.red ?? []).map((command) => `red: ${command}`)];
  if (red.length === 0) return undefined;
  // What ended the session comes first: its red checks are only what it left.
  const cut = isTurnEnd(seen.outcome) ? [] : [wordUnfinished(seen.outcome)];
  const reason = [...cut, ...red].join('; ');
  if (isTurnEnd(seen.outcome) && seen.canCorrect && seen.quick && seen.correctionsLeft > 0) {
    return correct(seen, 'red', reason);
  }
  return retry(seen, reason);
}

/** Green, but did the session finish? A turned check proves it; a marker says it; silence is asked about once. */
function judgeUnfinished(seen: Seen): Verdict | undefined {
  const { outcome } = seen;
  if (outcome.kind === 'done' || outcome.kind === 'already-done' || provedAnyway(seen)) return undefined;
  if (outcome.kind !== 'silent') return retry(seen, wordUnfinished(outcome));
  const asked = seen.asked.has('finished?') || !seen.canCorrect;
  if (seen.asks && !seen.changed && asked) {
    return { kind: 'park', question: seen.summary, reason: 'the agent asks something and changed nothing' };
  }
  if (seen.noFollowUp || seen.asked.has('finished?')) return undefined;
  if (seen.canCorrect) return correct(seen, 'finished?', 'the turn ended without a marker');
  return retry(seen, 'the turn ended without a marker, and the session could not be asked');
}

/** Finished and green, but nothing changed: done before, or not done at all. */
function judgeUnchanged(seen: Seen): Verdict | undefined {
  if (seen.changed) return undefined;
  if (seen.needsNothing !== undefined) {
    const { summary } = seen;
    return { kind: 'close', proof: 'checked', reason: seen.needsNothing, summary };
  }
  const { outcome } = seen;
  if (outcome.kind === 'already-done' && outcome.reason !== '') {
    const proof = seen.checks?.ownGreen ? 'checked' : 'unchecked';
    return {
      kind: 'close',
      proof,
      reason: `nothing had to be changed: ${outcome.reason}`,
      summary: outcome.reason,
    };
  }
  if (seen.canCorrect && !seen.asked.has('nothing-changed')) {
    return correct(seen, 'nothing-changed', 'nothing was changed');
  }
  return retry(seen, 'the agent ended, but nothing was changed');
}

function judgeClose(seen: Seen): Verdict {
  const { summary } = seen;
  if (!seen.checks || seen.checks.ran === 0) {
    const reason = seen.checks?.excused
      ? 'its only checks are excused as known red'
      : 'no check exists for it';
    return { kind: 'close', proof: 'unchecked', reason, summary };
  }
  const silence =
    seen.outcome.kind === 'silent' ? ', although the agent never said that it was finished' : '';
  const despite = isTurnEnd(seen.outcome)
    ? ''
    : `, although the session did not finish (${seen.outcome.kind})`;
  const reason = `${count(seen.checks.ran, 'check')} green${silence}${despite}`;
  return { kind: 'close', proof: 'checked', reason, summary };
}

/** A task check that was red before the work is green, and all others are too: proof without the agent's word. */
function provedAnyway(seen: Seen): boolean {
  return (
    seen.changed &&
    seen.reds.length === 0 &&
    seen.checks !== undefined &&
    seen.checks.red.length === 0 &&
    seen.checks.turnedGreen
  );
}

/** A correction that no budget is left for ends the run as it is: the attempt has not come to its end. */
function correct(seen: Seen, correction: CorrectionKind, reason: string): Verdict {
  if (!seen.overspend) return { kind: 'correct', correction, reason };
  const { reason: spent, hint } = seen.overspend;
  return { kind: 'stop', why: 'budget', reason: `${spent}; not corrected: ${reason}`, hint };
}

function retry(seen: Seen, reason: string): Verdict {
  if (seen.attemptsLeft <= 1) return { kind: 'fail', reason };
  return { kind: 'again', reason, counts: true };
}

/** Whether the session itself ended the turn. */
export function isTurnEnd(outcome: Outcome): boolean {
  return (
    outcome.kind === 'done' ||
    outcome.kind === 'already-done' ||
    outcome.kind === 'silent' ||
    outcome.kind === 'failed'
  );
}

function wordUnfinished(outcome: Outcome): string {
  return outcome.kind === 'timed-out'
    ? `the session was ended by its clock: ${outcome.reason}`
    : outcome.reason;
}
