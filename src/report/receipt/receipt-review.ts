// The receipt's part about the review.

import { isUnsettled } from '../../journal/fold-review.ts';
import { spentBy } from '../../journal/ledger.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import { formatChange } from '../events/format-task.ts';
import {
  countFindings,
  type FindingItem,
  isGoodEnd,
  judgeFindings,
  type StageItem,
} from '../findings/findings.ts';
import { findingBlock, formatStage, placeOf, toneOfStage } from '../findings/format-findings.ts';
import { type Block, block, code } from '../text/block.ts';
import { formatCost, formatCount, formatList, shortOid } from '../text/figure.ts';
import { keptBlocks, noteBlocks } from './receipt-task.ts';

const mostFindings = 30;

export function reviewBlocks(state: RunState): readonly Block[] {
  const { stages, findings } = judgeFindings(state);
  if (stages.length === 0) return [];
  const fixed = findings.filter(({ standing }) => standing === 'fixed');
  return [
    block('section', 'head', findings.length === 0 ? 'Review' : `Review: ${countFindings(findings)}`),
    ...stages.flatMap((stage) => [
      block('item', toneOfStage(stage), formatStage(stage)),
      ...missingBlocks(state, stage),
    ]),
    ...[...state.fixes.values()].flatMap((fix) => fixBlocks(state, fix)),
    ...list(findings.filter(isUnsettled)),
    ...list(findings.filter(({ standing }) => standing === 'rejected' || standing === 'refuted')),
    ...list(fixed, fixedBlock),
    ...effortBlocks(state),
  ];
}

/** The line at the top if something is left to a person. */
export function reviewLead(state: RunState): readonly Block[] {
  const { stages, findings } = judgeFindings(state);
  const bad = stages.filter(({ end, optional }) => !optional && end !== 'skipped' && !isGoodEnd(end));
  if (bad.length === 0) return [];
  const ends = bad.map(({ stage, end }) => `${stage} ${end ?? 'not ended'}`).join(', ');
  const left = findings.filter(isUnsettled).length;
  const waiting = left === 0 ? '' : `; ${formatCount(left, 'open finding')}`;
  return [block('lead', 'warn', `REVIEW NOT CLEAN: ${ends}${waiting}`)];
}

function effortBlocks(state: RunState): readonly Block[] {
  const parts = (['review', 'fix'] as const).flatMap((role) => {
    const cost = spentBy(state, ({ started }) => started.role === role);
    return cost.sessions === 0
      ? []
      : [`${efforts[role]}: ${formatCost(cost)} in ${formatCount(cost.sessions, 'session')}`];
  });
  return parts.length === 0 ? [] : [block('item', 'dim', parts.join('; '))];
}

const efforts = { review: 'Reviewers', fix: 'Fixers' } as const;

/** If it had nothing to change, the findings it rejected show that. */
function fixBlocks(state: RunState, work: TaskState): readonly Block[] {
  const { fix: planned, closed } = work;
  if (!planned) return [];
  const { stage, round, findings } = planned;
  const ended = state.review.stages.get(stage)?.rounds.find((one) => one.round === round)?.fix;
  const which = `${formatList(findings)} (${stage}, round ${round})`;
  const notes = noteBlocks(work);
  switch (ended?.result) {
    case 'committed': {
      const change = closed ? `${formatChange(closed)}, commit ` : 'commit ';
      const isGreen = closed !== undefined && proofWordOf(work) !== 'unchecked';
      const note = isGreen ? '' : `; UNCHECKED${closed ? `: ${closed.reason}` : ''}`;
      const oid = code(shortOid(ended.oid ?? closed?.oid ?? ''));
      return [block('item', isGreen ? 'good' : 'warn', `Fixer of ${which}: ${change}`, oid, note), ...notes];
    }
    case 'failed':
      return [
        block('item', 'bad', `Fixer of ${which}: not fixed, ${ended.reason}`),
        ...keptBlocks(ended.rescue),
        ...notes,
      ];
    case 'nothing':
      return notes;
    case undefined:
      return [block('item', 'warn', `Fixer of ${which}: not finished`), ...notes];
  }
}

/** An incomplete stage's own line names them. */
function missingBlocks({ review }: RunState, { stage, end }: StageItem): readonly Block[] {
  if (end === 'incomplete') return [];
  const last = review.stages.get(stage)?.rounds.at(-1);
  return [...(last?.missing ?? [])]
    .filter(([reviewer]) => !last?.opinions.has(reviewer))
    .map(([reviewer, reasons]) =>
      block('item', 'warn', `${reviewer} did not answer: ${[...new Set(reasons)].join('; ')}`),
    );
}

function list(findings: readonly FindingItem[], blockOf = listed): readonly Block[] {
  const rest = findings.length - mostFindings;
  return [
    ...findings.slice(0, mostFindings).map((finding) => blockOf(finding)),
    ...(rest > 0 ? [block('item', 'warn', `and ${rest} more, see `, code('pawl report --findings'))] : []),
  ];
}

function listed(finding: FindingItem): Block {
  const { kind, tone, pieces } = findingBlock(finding);
  return block(kind, tone, `${heads[finding.standing]} `, ...pieces);
}

/** The commit shows how. */
function fixedBlock(finding: FindingItem): Block {
  const { id, severity, title, tried, doubts = [] } = finding;
  const told = [title, ...(tried === 'confirmed' ? ['its proof is green'] : []), ...doubts].join(' — ');
  return block(
    'item',
    doubts.length > 0 ? 'warn' : 'good',
    `Fixed: ${id} ${severity} `,
    code(placeOf(finding)),
    ` ${told}`,
  );
}

const heads = {
  open: 'Open:',
  disputed: 'Disputed:',
  rejected: 'Rejected:',
  refuted: 'Refuted:',
  fixed: 'Fixed:',
} as const;
