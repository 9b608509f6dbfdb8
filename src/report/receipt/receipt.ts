// The receipt of a run, from the folded journal alone: first what is not proven.
import { commandAgain } from '../../event/again.ts';
import { sayTamper } from '../../event/guard.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { isRedByHand, proofWordOf } from '../../journal/task-proof.ts';
import { formatSquash } from '../events/format-finalize.ts';
import { formatCi, toneOfCi } from '../events/format-forge.ts';
import { formatDifference } from '../events/format-task.ts';
import { formatProofs } from '../status/format-proofs.ts';
import { type Block, block, code, toLines, toMarkdown } from '../text/block.ts';
import { formatList, formatMs, formatSpan, shortOid } from '../text/figure.ts';
import type { Line } from '../text/line.ts';
import { formatExit } from '../text/run-words.ts';
import { countTasks } from '../view/works.ts';
import { dialogueBlocks } from './receipt-dialogue.ts';
import { lessonBlocks } from './receipt-lessons.ts';
import { nextBlocks } from './receipt-next.ts';
import { reviewBlocks, reviewLead } from './receipt-review.ts';
import { runBlocks } from './receipt-run.ts';
import type { ReceiptOptions } from './receipt-task.ts';
import { keptBlocks, taskBlocks } from './receipt-task.ts';

/** For `report.md` and a pull request. */
export function writeReceipt(state: RunState, options: ReceiptOptions = {}): string {
  return toMarkdown(receiptBlocks(state, options));
}

export function writeTaskReceipt(state: RunState, id: string): string {
  const task = state.tasks.get(id);
  return task ? toMarkdown(taskBlocks(state, task, {})) : '';
}

export function receiptLines(state: RunState, options: ReceiptOptions = {}): readonly Line[] {
  return toLines(receiptBlocks(state, options));
}

export function receiptBlocks(state: RunState, options: ReceiptOptions = {}): readonly Block[] {
  const tasks = [...state.tasks.values()];
  return [
    ...leadBlocks(state, tasks, options),
    ...tasks.filter(hasStory).flatMap((task) => taskBlocks(state, task, options)),
    ...reviewBlocks(state),
    ...dialogueBlocks(state, options),
    ...finalizeBlocks(state),
    ...requestBlocks(state),
    ...runBlocks(state, tasks, options),
    ...lessonBlocks(state),
    ...nextBlocks(state, tasks, options),
  ];
}

/** The end of a start that did nothing, whose reason was already shown. */
export function briefLines(state: RunState, options: ReceiptOptions = {}): readonly Line[] {
  return toLines(nextBlocks(state, [...state.tasks.values()], options).filter(({ kind }) => kind === 'item'));
}

/** More than that it waits, or was closed before. */
function hasStory(task: TaskState): boolean {
  return task.start !== undefined || task.standing !== 'open';
}

export function leadBlocks(
  state: RunState,
  tasks: readonly TaskState[],
  options: ReceiptOptions,
): readonly Block[] {
  const unchecked = tasks.filter((task) => proofWordOf(task) === 'unchecked');
  const redByHand = tasks.filter((task) => isRedByHand(task, state.plan));
  const byHand = tasks.filter((task) => task.standing === 'closed-by-hand' && !redByHand.includes(task));
  const counts = countTasks(state);
  const before = counts.before === 0 ? '' : `, ${counts.before} closed before the run`;
  const closedOf = tasks.length === 0 ? '' : `: ${formatProofs(counts)}${before}`;
  return [
    ...(redByHand.length === 0
      ? []
      : [block('lead', 'bad', `RED, and ticked by hand: ${nameTasks(redByHand)}`)]),
    ...(unchecked.length === 0
      ? []
      : [block('lead', 'warn', `UNCHECKED: ${nameTasks(unchecked)} closed without a check that proves it`)]),
    ...(byHand.length === 0
      ? []
      : [block('lead', 'warn', `Closed by hand, not checked by pawl: ${nameTasks(byHand)}`)]),
    ...hostLead(state),
    ...noteLead(tasks),
    ...reviewLead(state),
    ...(options.endTold && state.ended ? [] : [standBlock(state, options.live ?? false)]),
    titleBlock(state, closedOf),
    ...totalBlocks(state),
  ];
}

/** What runs outside once the branch is checked out, merged or opened. */
function hostLead({ tasks, fixes }: RunState): readonly Block[] {
  const works = [...tasks.values(), ...fixes.values()];
  const files = new Set(works.flatMap(({ closed }) => closed?.hostPrograms ?? []));
  if (files.size === 0) return [];
  return [block('lead', 'warn', `Adds programs that your machine will run: ${formatList([...files])}`)];
}

const mostNotes = 3;

/** What tasks took from tests and from what decides checks, even if all is green. */
function noteLead(tasks: readonly TaskState[]): readonly Block[] {
  const notes = [...new Set(tasks.flatMap(({ tamper }) => tamper.map(sayTamper)))];
  if (notes.length === 0) return [];
  const more = notes.length > mostNotes ? [`and ${notes.length - mostNotes} more, below`] : [];
  return [block('lead', 'warn', `Look at: ${[...notes.slice(0, mostNotes), ...more].join('; ')}`)];
}

function titleBlock({ started }: RunState, closedOf: string): Block {
  if (started.planning) return block('lead', 'plain', `Planning: ${started.title}`);
  return block('lead', 'plain', `${started.title}${closedOf}, on branch `, code(started.branch));
}

function totalBlocks(state: RunState): readonly Block[] {
  const { started, ended, lastAt } = state;
  const from = Date.parse(started.at);
  const to = Date.parse(ended?.at ?? lastAt);
  const change = ended && formatDifference(ended);
  const parts = [
    ...(change === undefined ? [] : [change]),
    `${formatSpan(from, to)} (${formatMs(to - from)})`,
  ];
  return [block('lead', 'plain', parts.join('; '))];
}

function standBlock(state: RunState, live: boolean): Block {
  const { ended, waiting } = state;
  if (!ended) {
    if (live)
      return block('lead', 'warn', waiting ? 'Not finished: waiting' : 'Not finished: pawl is working on it');
    return block(
      'lead',
      'bad',
      'Not finished: pawl was killed, or the machine went down; ',
      code(commandAgain(state)),
      ' continues',
    );
  }
  const reasons = ended.reasons.filter((reason) => reason.exit === ended.exit).map((reason) => reason.text);
  const why = [...new Set([formatExit(ended.exit, ended.reasons), ...reasons])].join('; ');
  if (!ended.finished)
    return block(
      'lead',
      'bad',
      `Not finished: ${ended.exit === 0 ? (reasons[0] ?? 'stopped as asked') : why}`,
    );
  return ended.exit === 0 ? block('lead', 'good', 'Finished') : block('lead', 'warn', `Finished: ${why}`);
}

function nameTasks(tasks: readonly TaskState[]): string {
  return tasks.map((task) => `Task ${task.id} (${task.title})`).join(', ');
}

export function finalizeBlocks({ finalizing, squashed }: RunState): readonly Block[] {
  if (!finalizing && !squashed) return [];
  return [
    block('section', 'head', 'Finalized'),
    ...(finalizing ? endBlocks(finalizing) : []),
    ...(squashed
      ? [block('item', 'plain', `${formatSquash(squashed)}; the old ones: `, code(squashed.kept))]
      : []),
  ];
}

function requestBlocks({ request, layers, ci }: RunState): readonly Block[] {
  if (!request) return [];
  return [
    block('section', 'head', 'Published'),
    ...[...(layers ?? []), request].map(({ noun, url, head }) =>
      block('item', 'good', `The ${noun} ${url} holds `, code(shortOid(head))),
    ),
    ...(ci ? [block('item', toneOfCi(ci), formatCi(ci))] : []),
  ];
}

function endBlocks({ ended }: NonNullable<RunState['finalizing']>): readonly Block[] {
  if (!ended) return [block('item', 'warn', 'Not finished')];
  const { result, reason, oid, rescue } = ended;
  switch (result) {
    case 'committed':
      return [block('item', 'good', `${reason}, commit `, code(shortOid(oid ?? '')))];
    case 'nothing':
      return [block('item', 'good', reason)];
    case 'failed':
      return [
        block('item', 'warn', `Failed: ${reason}; everything is as it was before`),
        ...keptBlocks(rescue),
      ];
  }
}
