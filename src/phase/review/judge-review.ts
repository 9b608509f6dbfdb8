// Whom a stage's round asks, and what follows. Pure. A confirmed finding is fixed in any round, an opinion only in the
// first; a missing answer is no approval.
import type { Stage } from '../../config/stages.ts';
import type { StageEnd } from '../../event/review.ts';
import { isAtLeast, isConfirmed } from '../../event/severity.ts';
import {
  type FindingState,
  isUnsettled,
  type ReviewRound,
  type ReviewState,
} from '../../journal/fold-review.ts';
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
  if (seen.roundsLeft <= 0) return end('incomplete', `${why} in the last round, and nobody looked again`);
  return { kind: 'again', reason: why };
}

export function judgeMoved({ roundsLeft }: Pick<SeenRound, 'roundsLeft'>): RoundVerdict {
  const reason = 'HEAD moved while it was reviewed';
  return roundsLeft > 0 ? { kind: 'again', reason } : end('incomplete', reason);
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
    ({ standing, severity }) =>
      standing !== 'fixed' && standing !== 'refuted' && isAtLeast(severity, 'minor'),
  );
  if (opinions.length > 0) return end('settled', `nothing is left but ${count(opinions.length, 'opinion')}`);
  if (reviewers.length === 0) return end('clean', 'a later stage looks at what was fixed');
  return end('clean', `${count(reviewers.length, 'reviewer')} answered, and nothing is open`);
}

function isToBeFixed(one: FindingState, { round }: ReviewRound): boolean {
  const { severity } = one;
  if (one.standing !== 'open') return false;
  return isConfirmed(one) ? isAtLeast(severity, 'minor') : round === 1 && isAtLeast(severity, 'major');
}

/** A minor opinion is no reason against a branch, except in a report: nobody else will look. */
function needsPerson(one: FindingState, report: SeenRound['report']): boolean {
  const { severity } = one;
  if (!isUnsettled(one)) return false;
  if (isConfirmed(one) || report === 'all') return isAtLeast(severity, 'minor');
  return report === undefined && isAtLeast(severity, 'major');
}

function end(kind: StageEnd, reason: string): RoundVerdict {
  return { kind: 'end', end: kind, reason };
}

/** `base`: the commit from which the diff is taken. */
export type ReviewPlan = Readonly<{ stages: readonly Stage[]; base: string }>;

/**
 * After a fix, a stage before the last asks again only who complained or did not answer, and whom no later stage asks
 * alike.
 */
export function dueReviewers(
  stage: Stage,
  rounds: readonly ReviewRound[],
  { stages }: Pick<ReviewPlan, 'stages'>,
): readonly string[] {
  const at = stages.findIndex(({ name }) => name === stage.name);
  const later = stages.slice(at + 1).filter(({ optional }) => !optional);
  if (later.length === 0) return stage.reviewers;
  const isAskedLater = (reviewer: string) =>
    later.some((one) => isAlike(one, stage) && one.reviewers.includes(reviewer));
  const all = rounds.slice(1).reduce((due, { head }, index) => {
    const before = rounds[index];
    // Nobody has seen somebody else's commit.
    if (!before?.fix || before.ended?.head !== head) return stage.reviewers;
    const again = due.filter((reviewer) => before.opinions.get(reviewer)?.length !== 0);
    return again.length === 0 ? stage.reviewers : again;
  }, stage.reviewers);
  return all === stage.reviewers ? all : all.filter((reviewer) => !isAskedLater(reviewer));
}

function isAlike(a: Stage, b: Stage): boolean {
  return a.script === undefined && b.script === undefined && a.agent === b.agent && a.model === b.model;
}

/** Reviewers that found nothing in an alike stage at the same commits; each with that stage. */
export function knownAnswers(
  review: ReviewState,
  { stage, head }: Readonly<{ stage: Stage; head: string }>,
  { stages, base }: ReviewPlan,
): ReadonlyMap<string, string> {
  const alike = stages.filter(
    (other) =>
      other.name !== stage.name &&
      isAlike(other, stage) &&
      review.stages.get(other.name)?.started.base === base,
  );
  return new Map(
    alike.flatMap(({ name }) =>
      (review.stages.get(name)?.rounds ?? [])
        .filter((round) => round.head === head)
        .flatMap(({ opinions }) => [...opinions])
        .filter(([reviewer, findings]) => findings.length === 0 && stage.reviewers.includes(reviewer))
        .map(([reviewer]) => [reviewer, name] as const),
    ),
  );
}
