// The result of a run's review, as `pawl report --findings` prints it in words and as JSON.
import { defined } from '../../defined.ts';
import type { Finding } from '../../event/finding.ts';
import type { StageEnd } from '../../event/review.ts';
import { isAtLeast, isConfirmed, severities } from '../../event/severity.ts';
import { type FindingState, isUnsettled, type StageState } from '../../journal/fold-review.ts';
import { planOf, type RunState } from '../../journal/state.ts';
import { shorten } from '../../shorten.ts';
import { type Block, block, code, type Piece } from '../text/block.ts';
import { formatCount, formatList } from '../text/figure.ts';
import type { Tone } from '../text/line.ts';

export type FindingItem = Finding &
  Pick<FindingState, 'standing' | 'reason' | 'doubts' | 'fingerprint'> &
  Readonly<{
    /** Unique in the run, e.g. `F3`. */
    id: string;
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

const mostWords = 600;

/** In lines or Markdown, by whoever renders them. */
export function findingsBlocks({ title, run, stages, findings }: Findings): readonly Block[] {
  if (stages.length === 0) return [block('lead', 'warn', 'There was no review in the run ', code(run))];
  // A review without a plan is named as one.
  const head = title.startsWith('Review of ') ? title : `Review of ${title}`;
  const byStanding = Map.groupBy(findings, ({ standing }) => standing);
  return [
    block('lead', 'plain', `${head} (`, code(run), ')'),
    ...stages.map((stage) => block('item', toneOfStage(stage), formatStage(stage))),
    ...(findings.length === 0 ? [block('lead', 'plain', 'Nothing was found.')] : []),
    ...[...byStanding].flatMap(([standing, here]) => [
      block('section', tones[standing], `${heads[standing]}: ${here.length}`),
      ...here.map((each) => findingBlock(each)),
    ]),
  ];
}

export function formatStage({ stage, end, reason, rounds, optional }: StageItem): string {
  const after = rounds === 0 || end === 'skipped' ? '' : ` after ${formatCount(rounds, 'round')}`;
  const note = optional && end !== 'skipped' ? ' (optional)' : '';
  if (end === undefined) return `${stage}${note}: not ended${after}`;
  return `${stage}${note}: ${end}${after}${reason ? `: ${reason}` : ''}`;
}

export function toneOfStage({ end, optional }: StageItem): Tone {
  if (isGoodEnd(end)) return 'good';
  return end === 'skipped' || optional ? 'plain' : 'warn';
}

/** `withHead`: says how it stands. */
export function findingBlock(finding: FindingItem, withHead = false): Block {
  const { id, severity, title, standing, reviewers } = finding;
  const pieces: readonly Piece[] = [
    `${withHead ? `${heads[standing]}: ` : ''}${id} ${severity} `,
    code(placeOf(finding)),
    ` ${[title, ...detailsOf(finding)].join(' — ')} (${formatList(reviewers)})`,
  ];
  // A minor opinion is not loud.
  const isQuiet = standing === 'open' && finding.tried !== 'confirmed' && !isAtLeast(severity, 'major');
  return block('item', isQuiet ? 'warn' : tones[standing], ...pieces);
}

export function placeOf({ file, line: at }: Pick<FindingItem, 'file' | 'line'>): string {
  return at === 0 ? file : `${file}:${at}`;
}

function detailsOf(finding: FindingItem): readonly string[] {
  const { evidence, suggestion, standing, reason, proof, tried, doubts = [] } = finding;
  return [
    ...(tried === undefined ? [] : [`${tried} by \`${shorten(proof.command.trim(), mostWords)}\``]),
    ...doubts,
    ...(evidence === '' ? [] : [shorten(evidence.trim(), mostWords)]),
    ...(suggestion === '' || standing === 'fixed'
      ? []
      : [`suggested: ${shorten(suggestion.trim(), mostWords)}`]),
    ...(reason === undefined || reason === ''
      ? []
      : [`${saidBy[standing]}: ${shorten(reason.trim(), mostWords)}`]),
  ];
}

const heads = {
  open: 'Open',
  disputed: 'Disputed',
  rejected: 'Rejected',
  refuted: 'Refuted',
  fixed: 'Fixed',
} as const;
const tones = { open: 'bad', disputed: 'warn', rejected: 'plain', refuted: 'plain', fixed: 'good' } as const;
const saidBy = {
  open: 'the fixer said',
  disputed: 'rejected, and raised again or proven',
  rejected: 'rejected',
  refuted: 'refuted',
  fixed: 'fixed',
} as const;
