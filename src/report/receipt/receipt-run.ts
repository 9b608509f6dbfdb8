// The receipt's part about the run as a whole.
import type { RunState, TaskState } from '../../journal/state.ts';
import { formatResult } from '../events/format-check.ts';
import { formatFresh, formatRefused, formatRefusedHost, formatViolation } from '../events/format-guard.ts';
import { formatCause, formatReplanEnd } from '../events/format-replan.ts';
import { type Block, block, code, type Piece } from '../text/block.ts';
import { formatCommand } from '../text/figure.ts';
import { carryBlocks } from './receipt-carry.ts';
import { saidBy } from './receipt-checks.ts';
import { costBlocks } from './receipt-cost.ts';
import { laneBlocks } from './receipt-lanes.ts';
import type { ReceiptOptions } from './receipt-task.ts';

export function runBlocks(
  state: RunState,
  tasks: readonly TaskState[],
  options: ReceiptOptions,
): readonly Block[] {
  return [
    ...section(
      'Not done',
      tasks.filter((task) => isUntouched(state, task)).map((task) => item(`Task ${task.id}: ${task.title}`)),
    ),
    ...section('Left for you: manual steps', manualBlocks(state)),
    ...section('Optional steps', optionalBlocks(state)),
    ...section(
      'Open boxes that no task tracks',
      (state.plan?.outside ?? []).map(({ text }) => item(text)),
    ),
    ...section(
      'Checks at the end',
      state.atEnd.map((check) => checkBlock(check)),
    ),
    ...section('In a fresh checkout', freshBlocks(state)),
    ...section('Red before the first task, and not green since', redBaseline(state)),
    ...section('Re-planning', replanBlocks(state)),
    ...section('Side by side', laneBlocks(state)),
    ...section('Look at this', noticeBlocks(state)),
    ...section('Carried', carryBlocks(state)),
    ...section(
      'Interventions',
      countTexts(
        state.interventions.map(({ text, by }) => (by === undefined ? text : `${text} (by ${by})`)),
      ).map(item),
    ),
    ...section('Cost and time', costBlocks(state, options)),
  ];
}

function isUntouched(state: RunState, task: TaskState): boolean {
  return task.standing === 'open' && task.start === undefined && !wasClosedBefore(state, task);
}

/** Found closed, and never touched by the run. */
export function wasClosedBefore({ plan }: RunState, { id, standing, start }: TaskState): boolean {
  const isClosed = plan?.tasks.find((task) => task.id === id)?.closed ?? false;
  return isClosed && standing === 'open' && start === undefined;
}

function manualBlocks({ plan }: RunState): readonly Block[] {
  return (plan?.tasks ?? []).flatMap((task) => task.manual.map((step) => item(`${step} (task ${task.id})`)));
}

function optionalBlocks({ plan }: RunState): readonly Block[] {
  return (plan?.tasks ?? []).flatMap(({ id, optional = [] }) =>
    optional.map((step) => item(`${step} (task ${id})`)),
  );
}

function checkBlock(check: RunState['atEnd'][number], ...advice: readonly Piece[]): Block {
  const isRed = check.result !== 'green';
  const note = isRed && check.knownRed ? '; known red, excused' : '';
  return block(
    'item',
    isRed && !check.knownRed ? 'bad' : 'plain',
    code(formatCommand(check.command)),
    `: ${formatResult(check)}${note}`,
    ...saidBy(check),
    ...advice,
  );
}

function freshBlocks({ freshVerified: fresh }: RunState): readonly Block[] {
  return fresh ? [block('item', fresh.result === 'red' ? 'bad' : 'plain', formatFresh(fresh))] : [];
}

/** Checks that are still red: unless the plan excuses it, each keeps every task from closing. */
function redBaseline({ baseline, tasks, atEnd, ended }: RunState): readonly Block[] {
  const later = [...[...tasks.values()].flatMap(({ checks }) => checks), ...atEnd];
  const turned = new Set(later.filter(({ result }) => result === 'green').map(({ command }) => command));
  return baseline
    .filter(({ result, command }) => result !== 'green' && !turned.has(command))
    .map((check) => checkBlock(check, ...(check.knownRed || ended?.finished ? [] : wayOut)));
}

const wayOut = ['. No task closes over it: fix it, or mark it ', code('(known red)'), ' in the plan'];

function noticeBlocks(state: RunState): readonly Block[] {
  return [
    ...state.setAside.map(setAsideBlock),
    ...state.notes
      .filter(({ session }) => session === undefined)
      .map(({ note, text }) =>
        warn(`No session was given note ${note}${state.ended?.finished ? '' : ' yet'}: ${text}`),
      ),
    ...distinct(state.violations.map(formatViolation)).map(warn),
    ...state.refused.map((file) => warn(formatRefused(file))),
    ...state.refusedHosts.map((host) => warn(formatRefusedHost(host))),
    ...state.flakiness.flaky.map((command) =>
      block(
        'item',
        'warn',
        'Flaky: ',
        code(formatCommand(command)),
        ' was red, then green on exactly the same files',
      ),
    ),
    ...distinct(noticesOf(state, (code) => !forInformation.has(code))).map(warn),
    ...distinct(noticesOf(state, (code) => forInformation.has(code))).map(item),
  ];
}

/** Notices that leave nothing to do. */
const forInformation: ReadonlySet<string> = new Set(['ground-cost']);

function noticesOf({ notices }: RunState, isWanted: (code: string) => boolean): readonly string[] {
  return notices.filter(({ code }) => isWanted(code)).map(({ text }) => text);
}

function setAsideBlock({ detail, file }: RunState['setAside'][number]): Block {
  return block(
    'item',
    'warn',
    `Plan edit set aside: ${detail}; it is kept in the run folder as `,
    code(file),
  );
}

function replanBlocks({ replans }: RunState): readonly Block[] {
  return replans.flatMap(({ started, ended }) =>
    ended ? [item(`Re-plan ${started.replan}, ${formatCause(started)}: ${formatReplanEnd(ended)}`)] : [],
  );
}

function section(title: string, blocks: readonly Block[]): readonly Block[] {
  return blocks.length === 0 ? [] : [block('section', 'head', title), ...blocks];
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** Each once, with how often it occurs. */
function countTexts(texts: readonly string[]): readonly string[] {
  return distinct(texts).map((text) => {
    const times = texts.filter((other) => other === text).length;
    return times === 1 ? text : `${text} (${times} times)`;
  });
}

function item(text: string): Block {
  return block('item', 'plain', text);
}

function warn(text: string): Block {
  return block('item', 'warn', text);
}
