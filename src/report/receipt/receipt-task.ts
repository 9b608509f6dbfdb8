// The receipt of one task.

import { sayTamper } from '../../event/guard.ts';
import { readTimes, spentBy } from '../../journal/ledger.ts';
import { isAway, type RunState, type SessionState, type TaskState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import { shellWord } from '../../shell-word.ts';
import { shorten } from '../../shorten.ts';
import { formatRefused, formatViolation } from '../events/format-guard.ts';
import { formatExperiments } from '../events/format-proof.ts';
import { formatChange } from '../events/format-task.ts';
import { formatTaskProof } from '../status/format-proofs.ts';
import { type Block, block, code, codeList } from '../text/block.ts';
import { formatCost, formatCount, formatList, formatMs, shortOid } from '../text/figure.ts';
import { checkBlocks, isToldByChecks } from './receipt-checks.ts';

const mostSummary = 600;
const mostNotes = 12;

export function taskBlocks(state: RunState, task: TaskState, options: ReceiptOptions): readonly Block[] {
  return [
    block('section', toneOf(task), `${markOf(task)} Task ${task.id}: ${task.title} — ${standingOf(task)}`),
    ...outcomeBlocks(state, task, options),
    ...list(formatNotHeld(state, task).map((text) => ({ tone: 'warn', text }) as const)),
    ...checkBlocks(state, task),
    effortBlock(state, task, options),
    ...noteBlocks(task),
    ...task.answers.map(({ question, answer }) =>
      block('item', 'plain', `Asked: ${question} — answered: ${answer}`),
    ),
  ];
}

/** What pawl undid, refused or noticed. */
export function noteBlocks({ violations, refused, tamper }: TaskState): readonly Block[] {
  return [
    ...list(violations.map((act) => ({ tone: 'warn', text: formatViolation(act) }) as const)),
    ...list(refused.map((file) => ({ tone: 'warn', text: formatRefused(file) }) as const)),
    ...list(tamper.map((note) => ({ tone: 'warn', text: `Look at this: ${sayTamper(note)}` }) as const)),
  ];
}

/** What a rescue of its work lacks, each once. */
function formatNotHeld({ rescues }: RunState, { failed, work }: TaskState): readonly string[] {
  const oid = failed?.rescue ?? (work.is === 'saved' || work.is === 'returning' ? work.rescue : undefined);
  const rescue = rescues.findLast((one) => one.oid === oid);
  return rescue?.notHeld.map(({ file, why }) => `Not kept: ${file} (${why})`) ?? [];
}

export function standingOf(task: TaskState): string {
  switch (task.standing) {
    case 'closed':
      return formatTaskProof(task);
    case 'closed-by-hand':
      return 'closed by hand';
    case 'failed':
      return 'failed';
    case 'parked':
      return 'waits for your answer';
    case 'skipped':
      return 'skipped, as asked';
    case 'open':
      return 'not finished';
  }
}

export function markOf(task: TaskState): string {
  const { standing } = task;
  if (standing === 'closed') return isGreen(task) ? '✓' : '!';
  return { 'closed-by-hand': '!', failed: '✗', parked: '?', skipped: '–', open: '–' }[standing];
}

function isGreen(task: TaskState): boolean {
  const word = proofWordOf(task);
  return word === 'proven' || word === 'passed';
}

export function toneOf(task: TaskState): 'good' | 'warn' | 'bad' {
  if (task.standing === 'closed') return isGreen(task) ? 'good' : 'warn';
  return task.standing === 'failed' ? 'bad' : 'warn';
}

function outcomeBlocks(state: RunState, task: TaskState, { live }: ReceiptOptions): readonly Block[] {
  switch (task.standing) {
    case 'closed':
      return closedBlocks(task);
    case 'closed-by-hand':
      return [block('item', 'warn', 'It was ticked by hand; pawl ran no check for it')];
    case 'failed':
      return [
        ...(isToldByChecks(state, task, task.failed?.reason)
          ? []
          : [block('item', 'bad', `Failed: ${task.failed?.reason ?? 'without a reason'}`)]),
        ...whereWorkIs(state, task),
      ];
    case 'parked':
      return [block('item', 'warn', `It asks: ${task.question ?? ''}`)];
    case 'skipped':
      return [
        ...keptBlocks(task.skipped?.rescue),
        block('item', 'plain', 'Work on it again with ', code(`pawl retry ${task.id}`)),
      ];
    case 'open':
      // What ended the run is at the top.
      return [
        ...(task.lastRound === undefined ||
        isToldByChecks(state, task, task.lastRound.reason) ||
        state.ended?.reasons.some(({ text }) => text === task.lastRound?.reason)
          ? []
          : [block('item', 'warn', `Last round: ${task.lastRound.reason}`)]),
        ...(live ? [] : whereWorkIs(state, task)),
      ];
  }
}

/** In a rescue commit if others continued without it; else where it was done. */
function whereWorkIs(state: RunState, task: TaskState): readonly Block[] {
  const rescue =
    task.failed?.rescue ??
    (isAway(task) ? (task.work.is === 'saved' ? task.work.rescue : undefined) : state.workAside);
  const { start, lastRound } = task;
  const { ended } = state;
  const own = start?.lane === undefined ? ended : undefined;
  const isNothing = start === undefined || (lastRound ?? own)?.tree === start.tree;
  if (rescue !== undefined || isNothing) return keptBlocks(rescue);
  const lane = state.lanes.get(start?.lane ?? 0);
  const folder = lane?.folder ?? state.worktree?.path;
  const where = lane ? 'its lane' : folder === undefined ? 'the working tree' : 'the run’s own working tree';
  const at = folder === undefined ? '' : ` -C ${shellWord(folder)}`;
  return [block('item', 'plain', `Its work is in ${where}, uncommitted: `, code(`git${at} status`))];
}

export function keptBlocks(rescue: string | undefined): readonly Block[] {
  if (rescue === undefined) return [];
  return [block('item', 'plain', 'Its work is kept: ', code(`pawl rescue show ${shortOid(rescue)}`))];
}

function closedBlocks(task: TaskState): readonly Block[] {
  const { closed, judged } = task;
  if (closed === undefined) return [];
  const summary = shorten(closed.summary.trim(), mostSummary);
  return [
    block('item', 'plain', `${formatChange(closed)}, commit `, code(shortOid(closed.oid))),
    ...(closed.outside === undefined
      ? []
      : [
          block(
            'item',
            'plain',
            'Not named in its ',
            code('files:'),
            ', and changed: ',
            ...codeList(closed.outside),
          ),
        ]),
    ...(closed.unnamed === undefined
      ? []
      : [block('item', 'warn', `${formatList(closed.unnamed)} changed, but no tool call named it`)]),
    ...(isGreen(task)
      ? []
      : [block('item', 'warn', `Why unchecked: ${judged?.reasons.join('; ') ?? closed.reason}`)]),
    ...list(
      (judged?.experiments ? formatExperiments(judged.experiments) : []).map((text) => ({
        tone: 'dim',
        text,
      })),
    ),
    ...(summary === '' ? [] : [block('item', 'plain', `In the agent’s words: ${summary}`)]),
  ];
}

function effortBlock(state: RunState, task: TaskState, { until = state.lastAt }: ReceiptOptions): Block {
  const spent = spentBy(state, ({ started }) => started.task === task.id);
  const sessions = [...state.sessions.values()].filter((session) => session.started.task === task.id);
  const ms = readTimes(state, until).byTask.get(task.id);
  const effort = [
    ...formatAgents(state, sessions),
    ...formatAttempts(task),
    ...(task.corrections === 0 ? [] : [formatCount(task.corrections, 'correction')]),
    ...(spent.sessions === 0 ? [] : [formatCost(spent)]),
    ...(ms === undefined ? [] : [`${formatMs(ms.working)} in sessions`]),
    ...(ms === undefined || ms.checking === 0 ? [] : [`${formatMs(ms.checking)} in checks`]),
  ];
  return block('item', 'dim', effort.join(', '));
}

function formatAttempts({ attemptsEver, uncounted }: TaskState): readonly string[] {
  const counted = attemptsEver - uncounted;
  if (counted === 0 && uncounted > 0) return [`${formatCount(uncounted, 'attempt')} that did not count`];
  const others = uncounted === 0 ? [] : [`${uncounted} more that did not count`];
  return [formatCount(counted, 'attempt'), ...others];
}

function formatAgents({ sessions: all }: RunState, sessions: readonly SessionState[]): readonly string[] {
  const agents = [...new Set(sessions.map(({ started }) => started.agent))];
  const isSame = new Set([...all.values()].map(({ started }) => started.agent)).size < 2;
  return isSame || agents.length === 0 ? [] : [`by ${agents.join(', then ')}`];
}

function list(notes: readonly Readonly<{ tone: 'warn' | 'dim'; text: string }>[]): readonly Block[] {
  const distinct = [...new Map(notes.map((note) => [note.text, note])).values()];
  const rest = distinct.length - mostNotes;
  return [
    ...distinct.slice(0, mostNotes).map(({ tone, text }) => block('item', tone, text)),
    ...(rest > 0 ? [block('item', 'warn', `and ${rest} more, see `, code('pawl logs'))] : []),
  ];
}

export type ReceiptOptions = Readonly<{
  /** A live pawl works on the run. */
  live?: boolean;
  /** The reader was just told how it ended. */
  endTold?: boolean;
  /** What goes on lasts until then, ISO 8601; default: the last fact. */
  until?: string;
}>;
