// What there is to say of a run's review.
import { isUnsettled } from '../../journal/fold-review.ts';
import type { RunState } from '../../journal/state.ts';
import type { TaskState } from '../../journal/task-state.ts';
import { retell } from '../events/format-event.ts';
import { countFindings, findingBlock, formatStage, toneOfStage } from '../findings/findings.ts';
import { type Findings, listBadEnds, type StageItem } from '../findings/judge-findings.ts';
import { type Block, block, code, warn } from '../text/block.ts';
import { formatCount, formatList } from '../text/figure.ts';
import { lookAt, type ReportOptions, type ReportSection, reportWork } from './report-work.ts';

const mostFindings = 30;

export function reviewSection(
  state: RunState,
  { stages, findings }: Findings,
  options: ReportOptions,
): ReportSection {
  if (stages.length === 0) return { title: 'Review', blocks: [] };
  return {
    title: findings.length === 0 ? 'Review' : `Review: ${countFindings(findings)}`,
    blocks: [
      ...stages.flatMap((stage) => [
        block('item', toneOfStage(stage), formatStage(stage)),
        ...missingBlocks(state, stage),
      ]),
      ...[...state.fixes.values()].flatMap((fix) => fixBlocks(state, fix, options)),
      ...bound(findings.map(findingBlock)),
    ],
  };
}

/** If something is left to a person. */
export function reviewLead({ stages, findings }: Findings): readonly Block[] {
  const bad = listBadEnds(stages);
  if (bad.length === 0) return [];
  const ends = bad.map(({ stage, end }) => `${stage} ${end ?? 'not ended'}`).join(', ');
  const left = findings.filter(isUnsettled).length;
  const waiting = left === 0 ? '' : `; ${formatCount(left, 'open finding')}`;
  return [block('lead', 'warn', `REVIEW NOT CLEAN: ${ends}${waiting}`)];
}

/** If it had nothing to change, the findings it rejected show that. */
function fixBlocks(state: RunState, work: TaskState, options: ReportOptions): readonly Block[] {
  const { fix } = work;
  if (!fix) return [];
  const { stage, round, findings } = fix;
  const ended = state.review.stages.get(stage)?.rounds.find((one) => one.round === round)?.fix;
  const who = `Fixer of ${formatList(findings)} (${stage}, round ${round}): `;
  const notes = lookAt(work);
  if (ended?.result === 'nothing') return notes;
  const isClosed = ended?.result === 'committed';
  const told = isClosed ? reportWork(state, work.id, options)?.outcome : retell(ended);
  const [change = warn('not finished'), ...rest] = told ?? [];
  const more = rest.filter(({ tone }) => tone === 'warn' || !isClosed);
  return [block('item', change.tone, who, ...change.pieces), ...more, ...notes];
}

/** An incomplete stage's own line names them. */
function missingBlocks({ review }: RunState, { stage, end }: StageItem): readonly Block[] {
  const last = review.stages.get(stage)?.rounds.at(-1);
  if (end === 'incomplete' || !last) return [];
  return [...last.missing]
    .filter(([reviewer]) => !last.opinions.has(reviewer))
    .map(([reviewer, reasons]) => warn(`${reviewer} did not answer: ${reasons.at(-1) ?? ''}`));
}

function bound(blocks: readonly Block[]): readonly Block[] {
  const rest = blocks.length - mostFindings;
  return rest <= 0
    ? blocks
    : [...blocks.slice(0, mostFindings), warn(`and ${rest} more, see `, code('pawl report --findings'))];
}
