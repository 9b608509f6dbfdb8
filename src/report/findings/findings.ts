// The result of a run's review; `pawl report --findings --json` prints it.

import { defined } from '../../defined.ts';
import type { FindingProof } from '../../event/finding.ts';
import type { StageEnd } from '../../event/review.ts';
import { isConfirmed, type Severity, severities } from '../../event/severity.ts';
import { type FindingState, isUnsettled, type StageState } from '../../journal/fold-review.ts';
import type { RunState } from '../../journal/state.ts';

export type FindingItem = Readonly<{
  /** Unique in the run, e.g. `F3`. */
  id: string;
  standing: FindingState['standing'];
  severity: Severity;
  /** Relative to the repository. */
  file: string;
  /** From 1; 0 for the whole file. */
  line: number;
  title: string;
  evidence: string;
  suggestion: string;
  /** The fixer's last answer: its change, or why it rejected the finding. */
  reason?: string;
  reviewers: readonly string[];
  /** What ran to prove it, and the result; absent: an opinion. */
  proof: FindingProof;
  tried?: 'confirmed' | 'refuted' | 'unproven';
  /** Why it is doubtful that its fix is one. */
  doubts?: readonly string[];
  /** By its severity, or by its proof where the review asked for one. */
  level: 'error' | 'warning' | 'note';
  stages: readonly string[];
  fingerprint: string;
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

export function judgeFindings({ started, archived, review }: RunState): Findings {
  return {
    run: started.run,
    plan: archived?.to ?? started.plan,
    title: started.title,
    branch: started.branch,
    stages: [...review.stages.entries()].map(([stage, state]) => stageItem(stage, state)),
    findings: [...review.findings.values()]
      .map((finding) => findingItem(finding, started.review?.prove === true))
      .sort(byWeight),
  };
}

/** The code was reviewed and nothing is left to do. */
export function isGoodEnd(end: StageEnd | undefined): boolean {
  return end === 'clean' || end === 'settled';
}

/** Those that leave something to a person. */
export function listBadEnds(stages: readonly StageItem[]): readonly StageItem[] {
  return stages.filter(({ end, optional }) => !optional && end !== 'skipped' && !isGoodEnd(end));
}

function stageItem(stage: string, { started, rounds, ended }: StageState): StageItem {
  return {
    stage,
    ...defined({ end: ended?.end, reason: ended?.reason }),
    reviewers: started.reviewers,
    rounds: rounds.length,
    optional: started.optional,
  };
}

function findingItem(state: FindingState, wantsProof: boolean): FindingItem {
  const { id, finding, fingerprint, raised, standing, reason, tried, doubts } = state;
  const proven = isConfirmed(state) ? 'error' : 'note';
  return {
    id,
    standing,
    ...finding,
    ...defined({ reason, tried: tried?.result, doubts }),
    level: wantsProof ? proven : levels[finding.severity],
    reviewers: [...new Set(raised.map(({ reviewer }) => reviewer))],
    stages: [...new Set(raised.map(({ stage }) => stage))],
    fingerprint,
  };
}

const levels = { critical: 'error', major: 'error', minor: 'warning', note: 'note' } as const;

/** `3 confirmed and fixed, 1 refuted, 2 opinions for you`. */
export function countFindings(findings: readonly FindingItem[]): string {
  const told = Map.groupBy(findings.toReversed(), (one) => {
    const isProven = one.tried === 'confirmed';
    if (one.standing === 'fixed') return isProven ? 'confirmed and fixed' : 'fixed';
    if (!isUnsettled(one)) return one.standing;
    return isProven ? 'confirmed and left to you' : 'opinion for you';
  });
  return [...told]
    .map(([words, { length }]) => `${length} ${length > 1 ? words.replace('opinion', 'opinions') : words}`)
    .join(', ');
}

function byWeight(a: FindingItem, b: FindingItem): number {
  return (
    standings.indexOf(a.standing) - standings.indexOf(b.standing) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compare(a.file, b.file) ||
    a.line - b.line
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
