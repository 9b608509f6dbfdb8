// The result of a run's review, as a value that `pawl report --findings --json` prints.
import { defined } from '../../defined.ts';
import type { StageEnd } from '../../event/review.ts';
import { isConfirmed, severities } from '../../event/severity.ts';
import { endNow, type FindingState, type StageState } from '../../journal/fold-review.ts';
import { planOf, type RunState } from '../../journal/state.ts';

export type FindingItem = Omit<FindingState, 'anchor' | 'otherProofs' | 'raised' | 'tried'> &
  Readonly<{
    reviewers: readonly string[];
    stages: readonly string[];
    /** The result of its proof; absent: an opinion. */
    tried?: 'confirmed' | 'refuted' | 'unproven';
    /** By its severity, or by its proof where the review asked for one. */
    level: 'error' | 'warning' | 'note';
  }>;

/** Without an `end` it was cut off or goes on, and counts as nothing. */
export type StageItem = Readonly<{
  stage: string;
  end?: StageEnd;
  reason?: string;
  reviewers: readonly string[];
  rounds: number;
  optional: boolean;
}>;

/** No stages: there was no review, which is not a clean one. */
export type Findings = Readonly<{
  run: string;
  /** Relative to the repository, or absolute if outside. */
  plan: string;
  title: string;
  branch: string;
  stages: readonly StageItem[];
  /** By standing, then severity, then place. */
  findings: readonly FindingItem[];
}>;

/** From what most needs a person to what needs none. */
export const standings = ['open', 'disputed', 'rejected', 'refuted', 'fixed'] as const;

export function judgeFindings(state: RunState): Findings {
  const { started, review } = state;
  return {
    run: started.run,
    plan: planOf(state),
    title: started.title,
    branch: started.branch,
    stages: [...review.stages.values()].map((stage) => stageItem(stage, endNow(review, stage))),
    findings: [...review.findings.values()]
      .map((finding) => findingItem(finding, started.review?.prove === true))
      .sort(byWeight),
  };
}

/** The code was reviewed and nothing is left to do. */
export function isGoodEnd(end: StageEnd | undefined): boolean {
  return end === 'clean' || end === 'settled';
}

/** Else it does not say that there is nothing. */
export function areGood(stages: readonly StageItem[]): boolean {
  return stages.every(({ end }) => isGoodEnd(end));
}

/** Those that leave something to a person. */
export function listBadEnds(stages: readonly StageItem[]): readonly StageItem[] {
  return stages.filter(({ end, optional }) => !optional && end !== 'skipped' && !isGoodEnd(end));
}

function stageItem({ started, rounds }: StageState, ended: ReturnType<typeof endNow>): StageItem {
  return {
    stage: started.stage,
    ...defined({ end: ended?.end, reason: ended?.reason }),
    reviewers: started.reviewers,
    rounds: rounds.length,
    optional: started.optional,
  };
}

function findingItem(state: FindingState, wantsProof: boolean): FindingItem {
  const { anchor: _, otherProofs: __, raised, tried, ...finding } = state;
  const proven = isConfirmed(state) ? 'error' : 'note';
  return {
    ...finding,
    ...defined({ tried: tried?.result }),
    level: wantsProof ? proven : levels[finding.severity],
    reviewers: [...new Set(raised.map(({ reviewer }) => reviewer))],
    stages: [...new Set(raised.map(({ stage }) => stage))],
  };
}

const levels = { critical: 'error', major: 'error', minor: 'warning', note: 'note' } as const;

function byWeight(a: FindingItem, b: FindingItem): number {
  return (
    standings.indexOf(a.standing) - standings.indexOf(b.standing) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    Number(a.file > b.file) - Number(a.file < b.file) ||
    a.line - b.line
  );
}
