// Decides what follows in a stage of the review: reviewers, the fixer, another round, or a named end. Pure; a missing
// answer never counts as approval.

import type { StageEnd } from '../../event/review.ts';
import { isAtLeast, type Severity } from '../../event/severity.ts';
import type { FindingState, ReviewRound } from '../../journal/fold-review.ts';
import { count } from '../../work/count.ts';

/** What is known about a round when the next step is decided. */
export type SeenRound = Readonly<{
  round: ReviewRound;
  reviewers: readonly string[];
  /** All findings of the run. */
  findings: readonly FindingState[];
  minSeverity: Severity;
  /** Rounds that may still follow this one. */
  roundsLeft: number;
  /** HEAD as it is now. */
  head: string;
  /** The review only reports: nothing may be changed. */
  reportOnly: boolean;
  /** Why nothing more may be spent. */
  overspent?: string;
}>;

export type ReviewVerdict =
  | Readonly<{ kind: 'fix'; findings: readonly FindingState[]; reason: string }>
  | RoundVerdict;

export type RoundVerdict =
  | Readonly<{ kind: 'again'; reason: string }>
  | Readonly<{ kind: 'end'; end: StageEnd; reason: string }>;

/** What happens once all reviewers of the round have been asked, before anything is fixed. */
export function judgeOpinions(seen: SeenRound): ReviewVerdict {
  const open = openOf(seen);
  if (open.length > 0) {
    const reason = `${count(open.length, 'finding')} at or above ${seen.minSeverity}`;
    if (seen.reportOnly) return end('unfixed', `${reason}; nothing is fixed in a report`);
    if (seen.overspent !== undefined) return end('over-budget', seen.overspent);
    return { kind: 'fix', findings: open, reason };
  }
  return judgeQuiet(seen);
}

export function judgeFix(seen: SeenRound): RoundVerdict {
  const { fix } = seen.round;
  if (fix?.result === 'failed') return end('unfixed', fix.reason);
  const left = openOf(seen);
  const why =
    fix?.result === 'committed'
      ? 'a fix was committed'
      : left.length > 0
        ? `${count(left.length, 'finding')} had no answer`
        : 'findings were rejected';
  if (seen.overspent !== undefined) return end('over-budget', seen.overspent);
  if (seen.roundsLeft <= 0) return end('capped', `${why} in the last round`);
  return { kind: 'again', reason: why };
}

export function judgeMoved({ roundsLeft }: Pick<SeenRound, 'roundsLeft'>): RoundVerdict {
  const reason = 'HEAD moved while it was reviewed';
  return roundsLeft > 0 ? { kind: 'again', reason } : end('capped', reason);
}

/** Nothing is open at or above the severity: is that because all have looked and found nothing? */
function judgeQuiet(seen: SeenRound): RoundVerdict {
  const { round, reviewers } = seen;
  const silent = reviewers.filter((reviewer) => !round.opinions.has(reviewer));
  if (silent.length > 0) {
    if (seen.overspent !== undefined) return end('over-budget', seen.overspent);
    const byReason = Map.groupBy(silent, (reviewer) => round.missing.get(reviewer)?.at(-1) ?? 'not asked');
    const reasons = [...byReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
    return end('incomplete', `no answer from ${reasons.join('; ')}`);
  }
  if (seen.head !== round.head) return judgeMoved(seen);
  const heard = seen.findings.filter(({ finding }) => isAtLeast(finding.severity, seen.minSeverity));
  const disputed = heard.filter(({ standing }) => standing === 'disputed');
  if (disputed.length > 0)
    return end('disputed', `${count(disputed.length, 'finding')} rejected and raised again`);
  const rejected = heard.filter(({ standing }) => standing === 'rejected');
  if (rejected.length > 0)
    return end('settled', `${count(rejected.length, 'finding')} rejected with reasons, and not raised again`);
  return end(
    'clean',
    `${count(reviewers.length, 'reviewer')} answered, nothing at or above ${seen.minSeverity}`,
  );
}

/** What has to be fixed: open and severe enough. */
function openOf({ findings, minSeverity }: SeenRound): readonly FindingState[] {
  return findings.filter(
    ({ standing, finding }) => standing === 'open' && isAtLeast(finding.severity, minSeverity),
  );
}

function end(kind: StageEnd, reason: string): RoundVerdict {
  return { kind: 'end', end: kind, reason };
}
