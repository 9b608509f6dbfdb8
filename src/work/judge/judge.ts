// The rules for closing: what was seen after a turn → what happens next, and why. Pure.
import type { Outcome } from '../../agent/session/session-plan.ts';
import type { TaskState } from '../../journal/task-state.ts';
import { count } from '../count.ts';
import {
  type CorrectionKind,
  hintOf,
  type JudgeFacts,
  judgeService,
  judgeUnusable,
  type Verdict,
} from './verdict.ts';

/** Only an own check that a session's work turned green proves a task. */
export function judgeRound(seen: JudgeFacts): Verdict {
  const { held } = seen;
  if (held === 'skip') return { kind: held, reason: heldWords.skip };
  const verdict =
    judgeEnd(seen) ??
    judgeRed(seen) ??
    judgeUnfinished(seen) ??
    judgeRead(seen) ??
    judgeUnchanged(seen) ??
    judgeUnnamed(seen) ??
    judgeUnproven(seen) ??
    judgeClose(seen);
  if (verdict.kind !== 'correct' || held === undefined) return verdict;
  // The hold may be long: a fresh session gets the evidence.
  return { kind: 'again', reason: `${verdict.reason} (${heldWords[held]})`, counts: false };
}

export const heldWords = {
  skip: 'a person skipped it',
  pause: 'a person paused the run',
  note: 'a person had a note for it',
} as const;

const refundedWords = {
  raised: 'a person has raised it',
  part: 'its part of the money is spent, and not all of it',
} as const;

/** Whatever the tree looks like. */
function judgeEnd(seen: JudgeFacts): Verdict | undefined {
  const { outcome } = seen;
  if (seen.unusable !== undefined) return judgeUnusable(seen.unusable, outcome);
  switch (outcome.kind) {
    case 'interrupted':
      if (seen.held !== undefined && seen.held !== 'skip')
        return { kind: 'again', reason: heldWords[seen.held], counts: false };
      return { kind: 'stop', why: 'interrupted', reason: 'interrupted' };
    case 'refused':
      return judgeRefusal(outcome);
    case 'over-budget':
      if (provedAnyway(seen)) return undefined;
      if (seen.refunded && !seen.overspend)
        return { kind: 'again', reason: `${outcome.reason}; ${refundedWords[seen.refunded]}`, counts: false };
      return { kind: 'stop', why: 'budget', reason: outcome.reason, ...seen.overspend };
    case 'needs-input':
      return { kind: 'park', question: outcome.reason, reason: 'the agent asks a person' };
    case 'limited':
    case 'overloaded':
      return provedAnyway(seen) ? undefined : judgeService(outcome);
    case 'crashed':
      if (provedAnyway(seen)) return undefined;
      // One that changed something counts as an attempt.
      if (seen.changed && seen.attemptsLeft <= 1) return { kind: 'fail', reason: outcome.reason };
      return { kind: 'wait', why: 'crash', reason: outcome.reason, counts: seen.changed };
    case 'replan': {
      const reason = `the agent asks for another plan: ${outcome.reason}`;
      // One attempt must be left in case the plan stays.
      return seen.mayReplan && seen.attemptsLeft > 1 ? { kind: 'replan', reason } : retry(seen, reason);
    }
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

/** If the agent's program was there before, waits as for a crash. */
function judgeRefusal({ reason, remedies, mayReturn }: Extract<Outcome, { kind: 'refused' }>): Verdict {
  const atLast = { why: 'refused', ...hintOf(remedies) } as const;
  if (!mayReturn) return { kind: 'stop', reason, ...atLast };
  return { kind: 'wait', why: 'crash', reason, counts: false, atLast };
}

function judgeRed(seen: JudgeFacts): Verdict | undefined {
  const reds = seen.checks?.red ?? [];
  const red = [...seen.reds, ...(reds.length > 0 ? [`red: ${reds.join('; ')}`] : [])];
  if (red.length === 0) return undefined;
  // The red checks follow from the cut.
  const cut = isTurnEnd(seen.outcome) ? [] : [formatUnfinished(seen.outcome)];
  const reason = [...cut, ...red].join('; ');
  if (isTurnEnd(seen.outcome) && seen.canCorrect && seen.quick && seen.correctionsLeft > 0) {
    return correct(seen, 'red', reason);
  }
  return retry(seen, reason);
}

/** Did the session finish? A check turned green proves it, a marker says it, silence is asked about once. */
function judgeUnfinished(seen: JudgeFacts): Verdict | undefined {
  const { outcome } = seen;
  if (outcome.kind === 'done' || outcome.kind === 'already-done' || provedAnyway(seen)) return undefined;
  if (outcome.kind !== 'silent') return retry(seen, formatUnfinished(outcome));
  const asked = seen.asked.has('finished?') || !seen.canCorrect;
  if (seen.asks !== undefined && !seen.changed && asked) {
    return { kind: 'park', question: seen.asks, reason: 'the agent asks something and changed nothing' };
  }
  if (seen.noFollowUp || seen.asked.has('finished?')) return undefined;
  if (seen.canCorrect) return correct(seen, 'finished?', 'the turn ended without a marker');
  return retry(seen, 'the turn ended without a marker, and the session could not be asked');
}

/** Perhaps green by files that no commit will have, or that the runner reads: the session is asked once. */
function judgeRead(seen: JudgeFacts): Verdict | undefined {
  const ask = (kind: 'ignored' | 'runner', what: readonly string[], reason: string) =>
    what.length === 0 || !seen.canCorrect || seen.asked.has(kind) ? undefined : correct(seen, kind, reason);
  return (
    ask('ignored', seen.hidden, `git ignores ${formatHidden(seen)}`) ??
    ask('runner', seen.readByChecks, seen.readByChecks.join('; '))
  );
}

function formatHidden({ hidden }: JudgeFacts): string {
  const more = hidden.length - 1;
  return `${hidden[0]}${more > 0 ? ` and ${count(more, 'other file')}` : ''}`;
}

/** Green, but nothing changed: it was done before, or not at all. */
function judgeUnchanged(seen: JudgeFacts): Verdict | undefined {
  if (seen.changed) return undefined;
  if (seen.needsNothing !== undefined) {
    return { kind: 'close', ...proofOf(seen, seen.needsNothing), summary: seen.summary };
  }
  const { kind, reason: summary } = seen.outcome;
  const but = seen.hidden.length === 0 ? '' : `, because git ignores ${formatHidden(seen)}`;
  if (kind === 'already-done' && summary !== '') {
    const found = proofOf(seen, `nothing had to be changed: ${summary}${but}`);
    // A check beside a commit that lacks the work proves nothing about it.
    const proof = seen.checks?.ownGreen && but === '' ? found.proof : 'unchecked';
    return { kind: 'close', ...found, proof, summary };
  }
  if (seen.canCorrect && !seen.asked.has('nothing-changed')) {
    return correct(seen, 'nothing-changed', `nothing was changed${but}`);
  }
  return retry(seen, `the agent ended, but nothing was changed${but}`);
}

const ends = { unnamed: 'Is the task done by that?', unproven: 'May the task close as it is?' } as const;

/** A person has answered this question, not another one. */
export const isSettled = ({ answers }: Pick<TaskState, 'answers'>, about: keyof typeof ends): boolean =>
  answers.some(({ question }) => question.endsWith(ends[about]));

/** Green, but perhaps by what a person changed. */
function judgeUnnamed({ unnamed }: JudgeFacts): Verdict | undefined {
  if (unnamed.length === 0) return undefined;
  const question = `${unnamed.join(', ')} changed while the session worked, and is all that changed, but no tool call named it. ${ends.unnamed}`;
  return { kind: 'park', question, reason: 'nothing shows that the session did the work' };
}

/** The session is told once, with lines that no test misses; then a person is asked. */
function judgeUnproven(seen: JudgeFacts): Verdict | undefined {
  if (!seen.proof) return undefined;
  const { word, reasons, missed } = seen.proof;
  const lacking = word === 'proven' ? [] : reasons;
  const told = [...lacking, ...missed].join('; ');
  if (told !== '' && seen.canCorrect && !seen.asked.has('proof')) return correct(seen, 'proof', told);
  if (lacking.length === 0) return undefined;
  const question = `This work is ${word}, not proven: ${lacking.join('; ')}. ${ends.unproven}`;
  return { kind: 'park', question, reason: 'the task may close only as proven' };
}

function judgeClose(seen: JudgeFacts): Verdict {
  const { summary } = seen;
  if (!seen.checks || seen.checks.ran === 0) {
    const isExcused = (seen.checks?.excused ?? 0) > 0;
    const reason = isExcused ? 'its only checks are excused as known red' : 'no check exists for it';
    return { kind: 'close', proof: 'unchecked', reason, summary };
  }
  const { kind } = seen.outcome;
  const silence = kind === 'silent' ? ', although the agent never said that it was finished' : '';
  const isOver = isTurnEnd(seen.outcome) && kind !== 'failed';
  const despite = isOver ? '' : `, although the session did not finish (${kind})`;
  const reason = `${count(seen.checks.ran, 'check')} green${silence}${despite}`;
  return { kind: 'close', ...proofOf(seen, reason), summary };
}

/** Checks say nothing of a commit that lacks something they saw. */
function proofOf(seen: JudgeFacts, reason: string): Pick<Close, 'proof' | 'reason'> {
  const { unproved } = seen;
  if (unproved.length === 0) return { proof: isProven(seen) ? 'proven' : 'passed', reason };
  return { proof: 'unchecked', reason: `${reason}, but ${unproved.join('; ')}` };
}

function isProven({ changed, proof, checks }: JudgeFacts): boolean {
  return changed && (proof?.word === 'proven' || checks?.wasRed === true);
}

type Close = Extract<Verdict, { kind: 'close' }>;

/** A task check turned green, and all others are: proof without the agent's word. */
function provedAnyway(seen: JudgeFacts): boolean {
  const { changed, reds, checks } = seen;
  return changed && reds.length === 0 && checks?.red.length === 0 && checks.turnedGreen;
}

/** Without budget the run ends; the attempt is not over. */
function correct(seen: JudgeFacts, correction: CorrectionKind, reason: string): Verdict {
  if (!seen.overspend) return { kind: 'correct', correction, reason };
  const { reason: spent, hint } = seen.overspend;
  return { kind: 'stop', why: 'budget', reason: `${spent}; not corrected: ${reason}`, hint };
}

export function retry({ attemptsLeft }: Pick<JudgeFacts, 'attemptsLeft'>, reason: string): Verdict {
  if (attemptsLeft <= 1) return { kind: 'fail', reason };
  return { kind: 'again', reason, counts: true };
}

const turnEnds: ReadonlySet<Outcome['kind']> = new Set(['done', 'already-done', 'silent', 'failed']);

export function isTurnEnd({ kind }: Outcome): boolean {
  return turnEnds.has(kind);
}

function formatUnfinished(outcome: Outcome): string {
  const { kind, reason } = outcome;
  return kind === 'timed-out' ? `the session was ended by its clock: ${reason}` : reason;
}
