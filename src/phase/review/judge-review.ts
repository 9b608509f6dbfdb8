// What follows in a stage of the review. Pure. A confirmed finding is fixed in any round, an opinion only in the first;
// a missing answer is no approval.

import type { StageEnd } from '../../event/review.ts';
import { isAtLeast, isConfirmed } from '../../event/severity.ts';
import { type FindingState, isUnsettled, type ReviewRound } from '../../journal/fold-review.ts';
import { count } from '../../work/count.ts';

export type SeenRound = Readonly<{
  round: ReviewRound;
  reviewers: readonly string[];
  findings: readonly FindingState[];
  roundsLeft: number;
  head: string;
  /** Nothing may be changed; `proven`: only confirmed findings count. */
  report?: 'all' | 'proven';
  overspent?: string;
}>;

export type ReviewVerdict =
  | Readonly<{ kind: 'fix'; findings: readonly FindingState[]; reason: string }>
  | RoundVerdict;

export type RoundVerdict =
  | Readonly<{ kind: 'again'; reason: string }>
  | Readonly<{ kind: 'end'; end: StageEnd; reason: string }>;

/** After reviewers and proofs, before a fix. */
export function judgeOpinions(seen: SeenRound): ReviewVerdict {
  const due = seen.report === undefined ? seen.findings.filter((one) => isToBeFixed(one, seen.round)) : [];
  if (due.length === 0) return judgeQuiet(seen);
  if (seen.overspent !== undefined) return end('over-budget', seen.overspent);
  return { kind: 'fix', findings: due, reason: `${count(due.length, 'finding')} to fix` };
}

export function judgeFix(seen: SeenRound): RoundVerdict {
  const { fix } = seen.round;
  if (fix?.result === 'failed') return end('open', fix.reason);
  const why = fix?.result === 'committed' ? 'a fix was committed' : 'findings were rejected';
  if (seen.overspent !== undefined) return end('over-budget', seen.overspent);
  if (seen.roundsLeft <= 0) return end('open', `${why} in the last round, and nobody looked at it again`);
  return { kind: 'again', reason: why };
}

export function judgeMoved({ roundsLeft }: Pick<SeenRound, 'roundsLeft'>): RoundVerdict {
  const reason = 'HEAD moved while it was reviewed';
  return roundsLeft > 0 ? { kind: 'again', reason } : end('open', reason);
}

/** Nothing to fix: because all have looked, and is anything left to a person? */
function judgeQuiet(seen: SeenRound): RoundVerdict {
  const { round, reviewers, findings } = seen;
  const silent = reviewers.filter((reviewer) => !round.opinions.has(reviewer));
  if (silent.length > 0) {
    if (seen.overspent !== undefined) return end('over-budget', seen.overspent);
    const byReason = Map.groupBy(silent, (reviewer) => round.missing.get(reviewer)?.at(-1) ?? 'not asked');
    const reasons = [...byReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
    return end('incomplete', `no answer from ${reasons.join('; ')}`);
  }
  if (seen.head !== round.head) return judgeMoved(seen);
  const left = findings.filter((one) => needsPerson(one, seen.report));
  if (left.length > 0)
    return end(
      'open',
      `${count(left.length, 'finding')} left to you: ${left.map(({ id }) => id).join(', ')}`,
    );
  const opinions = findings.filter(
    ({ standing, finding }) =>
      standing !== 'fixed' && standing !== 'refuted' && isAtLeast(finding.severity, 'minor'),
  );
  if (opinions.length > 0) return end('settled', `nothing is left but ${count(opinions.length, 'opinion')}`);
  if (reviewers.length === 0) return end('clean', 'a later stage looks at what was fixed');
  return end('clean', `${count(reviewers.length, 'reviewer')} answered, and nothing is open`);
}

function isToBeFixed(one: FindingState, { round }: ReviewRound): boolean {
  const { severity } = one.finding;
  if (one.standing !== 'open') return false;
  return isConfirmed(one) ? isAtLeast(severity, 'minor') : round === 1 && isAtLeast(severity, 'major');
}

/** A minor opinion is no reason against a branch, except in a report: nobody else will look. */
function needsPerson(one: FindingState, report: SeenRound['report']): boolean {
  const { severity } = one.finding;
  if (!isUnsettled(one)) return false;
  if (isConfirmed(one) || report === 'all') return isAtLeast(severity, 'minor');
  return report === undefined && isAtLeast(severity, 'major');
}

function end(kind: StageEnd, reason: string): RoundVerdict {
  return { kind: 'end', end: kind, reason };
}
