// What to do after a run: hints from its own reasons, and the next command.
import { commandAgain } from '../../event/again.ts';
import type { EndReason } from '../../event/run.ts';
import { isUnsettled } from '../../journal/fold-review.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { judgeFindings } from '../findings/findings.ts';
import { type Block, block, code, type Piece } from '../text/block.ts';
import { formatMoment, shortOid } from '../text/figure.ts';
import { mergeCommand } from '../text/merge-command.ts';
import { findWritten } from './receipt-dialogue.ts';
import type { ReceiptOptions } from './receipt-task.ts';

export function nextBlocks(
  state: RunState,
  tasks: readonly TaskState[],
  options: ReceiptOptions,
): readonly Block[] {
  if (!state.ended && options.live) return [];
  const hints = state.ended?.reasons.flatMap(({ hint }) => (hint === undefined ? [] : [hint])) ?? [];
  const items = [...[...new Set(hints)].map(piecesOf), ...nextPieces(state, tasks)];
  if (items.length === 0) return [];
  return [block('section', 'head', 'Next'), ...items.map((pieces) => block('item', 'plain', ...pieces))];
}

/** Parts between backticks as text to copy; a full stop behind the last would be copied with it. */
function piecesOf(hint: string): readonly Piece[] {
  const parts = hint.replace(/`\.$/, '`').split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : part));
}

type Pieces = readonly Piece[];

function nextPieces(state: RunState, tasks: readonly TaskState[]): readonly Pieces[] {
  const { started, ended } = state;
  const hasCommitted = ended?.difference?.files !== 0;
  const run = code(commandAgain(state));
  const plan = findWritten(state);
  if (plan !== undefined) return [[code(`pawl run ${plan}`), ' runs it']];
  if (!ended) return [[run, ' continues where it stopped']];
  if (state.carry?.fenced) return [];
  const look: Pieces = [
    'Review the work: ',
    code(`git log --stat ${shortOid(started.base)}..${started.branch}`),
  ];
  switch (ended.exit) {
    case 0:
    case 4:
      return [...carryRest(state, run), ...afterWork(state, { run, look })];
    case 1:
      return [
        ['Change the plan, the checks or the code, then try again: ', run],
        ...answers(tasks),
        ...retries(tasks),
        ...(hasCommitted ? [look] : []),
      ];
    case 3:
      return [...answers(tasks), ...retries(tasks), [run, ' then continues']];
    case 2:
      return [];
  }
  return afterStop(state, ended, run);
}

/** The same command carries a finished run, and does nothing else. */
function carryRest({ carry, ended }: RunState, run: Piece): readonly Pieces[] {
  if (!carry?.failed || !ended?.finished) return [];
  return [[run, ` carries the rest to ${carry.remote} as soon as that works`]];
}

function afterStop(state: RunState, { exit, reasons }: RunEnded, run: Piece): readonly Pieces[] {
  switch (exit) {
    case 5:
      // The reason itself usually says which cap, and how to raise it.
      return reasons.some((reason) => reason.exit === 5 && reason.hint !== undefined)
        ? []
        : [[code(commandAgain(state, '--max-cost N ')), ' raises the budget and continues']];
    case 6: {
      const { waiting } = state;
      return [[...(waiting ? [`After ${formatMoment(waiting.until)}: `] : []), run, ' continues']];
    }
    case 7:
      return [afterRefusal(reasons, run)];
    case 70:
      return [
        [
          'This is a bug in pawl; the work is kept, and ',
          run,
          ' continues. ',
          code('pawl logs'),
          ' shows what happened',
        ],
      ];
  }
  return [[run, ' continues where it stopped']];
}

type RunEnded = NonNullable<RunState['ended']>;

function formatCheckoutAdvice(state: RunState): readonly Pieces[] {
  const command = mergeCommand(state);
  if (command === undefined) return [];
  return [[state.worktree ? 'Merge it into the branch you are on: ' : 'Merge it: ', code(command)]];
}

function afterWork(
  state: RunState,
  { run, look }: Readonly<{ run: Piece; look: readonly Piece[] }>,
): readonly Pieces[] {
  const { started, ended, fixes } = state;
  if (started.review?.reportOnly) return [[code('pawl report --findings'), ' lists what was found']];
  // A review with nothing to fix leaves nothing to look at.
  const looks = started.review && ![...fixes.values()].some(({ closed }) => closed) ? [] : [look];
  if (!ended?.finished) return [...looks, [run, ' continues']];
  return ended.exit === 0 ? [...looks, ...formatCheckoutAdvice(state)] : [...openFindings(state), ...looks];
}

/** Usually the agent's own words say what has to be put right. */
function afterRefusal(reasons: readonly EndReason[], run: Piece): readonly Piece[] {
  if (reasons.some(({ hint }) => hint !== undefined)) return [run, ' then continues'];
  const put = 'Fix the login, billing or model of the agent (';
  return [put, code('pawl doctor'), ' helps), then ', run, ' continues'];
}

function openFindings(state: RunState): readonly Pieces[] {
  const isOpen = judgeFindings(state).findings.some(isUnsettled);
  return isOpen ? [[code('pawl report --findings'), ' lists the findings that are open']] : [];
}

function retries(tasks: readonly TaskState[]): readonly Pieces[] {
  return tasks
    .filter((task) => task.standing === 'skipped')
    .map((task) => [code(`pawl retry ${task.id}`), ` works on task ${task.id} again, which was skipped`]);
}

function answers(tasks: readonly TaskState[]): readonly Pieces[] {
  return tasks
    .filter((task) => task.standing === 'parked')
    .map((task) => [code(`pawl answer ${task.id} "…"`), ` answers task ${task.id}`]);
}
