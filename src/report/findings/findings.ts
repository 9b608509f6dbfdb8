// The result of a run's review in words, for lines and Markdown.
import { isAtLeast } from '../../event/severity.ts';
import { isUnsettled } from '../../journal/fold-review.ts';
import { shorten } from '../../shorten.ts';
import { type Block, block, code, type Piece } from '../text/block.ts';
import { formatCount, formatList } from '../text/figure.ts';
import type { Tone } from '../text/line.ts';
import { areGood, type FindingItem, type Findings, isGoodEnd, type StageItem } from './judge-findings.ts';

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

const mostWords = 600;

/** In lines or Markdown, by whoever renders them. */
export function findingsBlocks({ title, run, stages, findings }: Findings): readonly Block[] {
  if (stages.length === 0) return [block('lead', 'warn', 'There was no review in the run ', code(run))];
  // A review without a plan is named as one.
  const head = title.startsWith('Review of ') ? title : `Review of ${title}`;
  return [
    block('lead', 'plain', `${head} (`, code(run), ')'),
    ...stages.map((stage) => block('item', toneOfStage(stage), formatStage(stage))),
    ...(findings.length === 0 && areGood(stages) ? [block('lead', 'plain', 'Nothing was found.')] : []),
    ...findings.map(findingBlock),
  ];
}

export function formatStage({ stage, end, reason, rounds, optional }: StageItem): string {
  const after = rounds === 0 || end === 'skipped' ? '' : ` after ${formatCount(rounds, 'round')}`;
  const note = optional && end !== 'skipped' ? ' (optional)' : '';
  if (end === undefined) return `${stage}${note}: not ended${after}`;
  return `${stage}${note}: ${end}${after}${reason ? `: ${reason}` : ''}`;
}

export function toneOfStage({ end, optional }: Pick<StageItem, 'end' | 'optional'>): Tone {
  if (isGoodEnd(end)) return 'good';
  return end === 'skipped' || optional ? 'plain' : 'warn';
}

export function findingBlock(finding: FindingItem): Block {
  const { id, severity, title, standing, reviewers, tried, proof } = finding;
  const pieces: readonly Piece[] = [
    `${looks[standing].head}: ${id} ${severity} `,
    code(placeOf(finding)),
    ` ${title}`,
    ...(tried === undefined ? [] : [` — ${tried} by `, code(bound(proof.command))]),
    `${detailsOf(finding)
      .map((text) => ` — ${text}`)
      .join('')} (${formatList(reviewers)})`,
  ];
  // A minor opinion is not loud.
  const isDoubtful = standing === 'fixed' && finding.doubts !== undefined;
  const isQuiet = standing === 'open' && finding.tried !== 'confirmed' && !isAtLeast(severity, 'major');
  return block('item', isQuiet || isDoubtful ? 'warn' : looks[standing].tone, ...pieces);
}

export function placeOf({ file, line: at }: Pick<FindingItem, 'file' | 'line'>): string {
  return at === 0 ? file : `${file}:${at}`;
}

/** For other programs. */
export function wordsOf({ title, evidence, suggestion }: FindingItem): readonly string[] {
  return [title, evidence, suggestion && `Suggested: ${suggestion}`].filter((text) => text !== '');
}

function detailsOf(finding: FindingItem): readonly string[] {
  const { evidence, suggestion, standing, reason = '', doubts = [] } = finding;
  const isFixed = standing === 'fixed';
  return [
    ...doubts,
    evidence === '' || isFixed ? [] : bound(evidence),
    suggestion === '' || isFixed ? [] : `suggested: ${bound(suggestion)}`,
    reason === '' ? [] : `${looks[standing].says}: ${bound(reason)}`,
  ].flat();
}

function bound(text: string): string {
  return shorten(text.trim(), mostWords);
}

/** `says`: who has given a reason. */
const looks = {
  open: { head: 'Open', tone: 'bad', says: 'the fixer said' },
  disputed: { head: 'Disputed', tone: 'warn', says: 'rejected, and raised again or proven' },
  rejected: { head: 'Rejected', tone: 'plain', says: 'rejected' },
  refuted: { head: 'Refuted', tone: 'plain', says: 'refuted' },
  fixed: { head: 'Fixed', tone: 'good', says: 'fixed' },
} as const;
