// What the receipt says about the review: how each stage ended, what waits for a person, what was rejected and why.
import type { RunState } from '../journal/state.ts';
import { type Block, block, code } from './block.ts';
import { wordCount } from './figure.ts';
import { type FindingItem, isGoodEnd, isUnsettled, judgeFindings, type StageItem } from './findings.ts';
import { findingBlock, toneOfStage, wordStage } from './wording-findings.ts';

/** Most findings of one kind that are listed. */
const mostFindings = 30;

/** The section of the review; nothing when there was none. */
export function reviewBlocks(state: RunState): readonly Block[] {
  const { stages, findings } = judgeFindings(state);
  if (stages.length === 0) return [];
  const fixed = findings.filter(({ standing }) => standing === 'fixed');
  return [
    block('section', 'head', 'Review'),
    ...stages.flatMap((stage) => [
      block('item', toneOfStage(stage), wordStage(stage)),
      ...missingBlocks(state, stage),
    ]),
    ...list(findings.filter(isUnsettled)),
    ...list(findings.filter(({ standing }) => standing === 'rejected')),
    ...(fixed.length === 0 ? [] : [block('item', 'good', `Fixed: ${wordCount(fixed.length, 'finding')}`)]),
  ];
}

/** The line at the top when the review leaves something to a person; nothing otherwise. */
export function reviewLead(state: RunState): readonly Block[] {
  const { stages, findings } = judgeFindings(state);
  const bad = stages.filter(({ end, optional }) => !optional && end !== 'skipped' && !isGoodEnd(end));
  if (bad.length === 0) return [];
  const ends = bad.map(({ stage, end }) => `${stage} ${end ?? 'not ended'}`).join(', ');
  const left = findings.filter(isUnsettled).length;
  const waiting = left === 0 ? '' : `; ${wordCount(left, 'finding')} for you to decide`;
  return [block('lead', 'warn', `REVIEW NOT CLEAN: ${ends}${waiting}`)];
}

/** Reviewers who did not answer in the last round. */
function missingBlocks({ review }: RunState, { stage }: StageItem): readonly Block[] {
  const last = review.stages.get(stage)?.rounds.at(-1);
  return [...(last?.missing ?? [])]
    .filter(([reviewer]) => !last?.opinions.has(reviewer))
    .map(([reviewer, reasons]) =>
      block('item', 'warn', `${reviewer} did not answer: ${[...new Set(reasons)].join('; ')}`),
    );
}

function list(findings: readonly FindingItem[]): readonly Block[] {
  const rest = findings.length - mostFindings;
  return [
    ...findings.slice(0, mostFindings).map(listed),
    ...(rest > 0 ? [block('item', 'warn', `and ${rest} more, see `, code('pawl findings'))] : []),
  ];
}

function listed(finding: FindingItem): Block {
  const { kind, tone, pieces } = findingBlock(finding);
  return block(kind, tone, `${heads[finding.standing]} `, ...pieces);
}

const heads = { open: 'Open:', disputed: 'Disputed:', rejected: 'Rejected:', fixed: 'Fixed:' } as const;
