// What a run’s receipt begins with: what is not proven or not clean, and what tasks took from what decides; and what
// there is to say of its review.
import { sayTamper } from '../../event/guard.ts';
import { isUnsettled } from '../../journal/fold-review.ts';
import type { RunState } from '../../journal/state.ts';
import { closeOf, isRedByHand, type TaskState } from '../../journal/task-state.ts';
import { retell } from '../events/format-event.ts';
import { countFindings, findingBlock, formatStage, toneOfStage } from '../findings/findings.ts';
import { type Findings, listBadEnds, type StageItem } from '../findings/judge-findings.ts';
import { type Block, block, code, warn } from '../text/block.ts';
import { atMost, formatCount, formatList } from '../text/figure.ts';
import {
  lookAt,
  type ReportOptions,
  type ReportSection,
  reportWork,
  type WorkReport,
} from './report-work.ts';

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
      ...atMost(findings.map(findingBlock), mostFindings, (rest) =>
        warn(`and ${rest} more, see `, code('pawl report --findings')),
      ),
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

/** An incomplete stage's own line names them, unless it ended by a fix. */
function missingBlocks({ review }: RunState, { stage, end }: StageItem): readonly Block[] {
  const last = review.stages.get(stage)?.rounds.at(-1);
  if (!last || (end === 'incomplete' && !last.fix)) return [];
  return [...last.missing]
    .filter(([reviewer]) => !last.opinions.has(reviewer))
    .map(([reviewer, reasons]) => warn(`${reviewer} did not answer: ${reasons.at(-1) ?? ''}`));
}

export function alarmsOf(state: RunState, tasks: readonly WorkReport[]): readonly Block[] {
  return [...taskAlarms(state, tasks), ...hostAlarm(state), ...tamperAlarm(state)];
}

export function lead(tone: Block['tone'], text: string): Block {
  return block('lead', tone, text);
}

function taskAlarms(state: RunState, tasks: readonly WorkReport[]): readonly Block[] {
  const isRed = ({ id }: WorkReport) => {
    const task = state.tasks.get(id);
    return task !== undefined && isRedByHand(task, state.plan);
  };
  const byHand = tasks.filter(({ standing }) => standing === 'by-hand');
  const alarm = (tone: Block['tone'], of: readonly WorkReport[], words: (names: string) => string) =>
    of.length === 0 ? [] : [lead(tone, words(of.map(({ id, title }) => `Task ${id} (${title})`).join(', ')))];
  return [
    ...alarm('bad', byHand.filter(isRed), (names) => `RED, and ticked by hand: ${names}`),
    ...alarm(
      'warn',
      tasks.filter(({ standing }) => standing === 'unchecked'),
      (names) => `UNCHECKED: ${names} closed without a check that proves it`,
    ),
    ...alarm(
      'warn',
      byHand.filter((task) => !isRed(task)),
      (names) => `Closed by hand, not checked by pawl: ${names}`,
    ),
  ];
}

/** What runs outside once the branch is checked out, merged or opened. */
function hostAlarm({ tasks, fixes }: RunState): readonly Block[] {
  const works = [...tasks.values(), ...fixes.values()];
  const files = new Set(works.flatMap((work) => closeOf(work)?.hostPrograms ?? []));
  if (files.size === 0) return [];
  return [lead('warn', `Adds programs that your machine will run: ${formatList([...files])}`)];
}

const mostNotes = 3;

function tamperAlarm({ tasks }: RunState): readonly Block[] {
  const notes = [...new Set([...tasks.values()].flatMap(({ tamper }) => tamper.map(sayTamper)))];
  if (notes.length === 0) return [];
  const shown = atMost(notes, mostNotes, (rest) => `and ${rest} more, below`);
  return [lead('warn', `Look at: ${shown.join('; ')}`)];
}
