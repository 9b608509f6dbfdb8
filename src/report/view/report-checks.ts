// What there is to say of checks.
import type { FactOf } from '../../event.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { isStillRed } from '../../journal/task-proof.ts';
import { formatResult } from '../events/format-check.ts';
import { type Block, block, code, type Piece, plain, said } from '../text/block.ts';
import { formatCommand, formatCount } from '../text/figure.ts';

type CheckEnd = FactOf<'check-ended'>;

/** Those on the commit replace those after the last turn. */
function decidingChecks({ checks }: TaskState): readonly CheckEnd[] {
  const all = ['after', 'verify'].flatMap((when) => checks.filter((check) => check.when === when));
  return [...new Map(all.map((check) => [check.check, check])).values()];
}

export function redOf({ plan }: RunState, task: TaskState): readonly CheckEnd[] {
  return decidingChecks(task).filter((check) => isStillRed(check, plan));
}

export function checksOf(state: RunState, task: TaskState): readonly Block[] {
  const green = decidingChecks(task).filter(({ result }) => result === 'green');
  const vacuous = new Set(task.start?.vacuous ?? []);
  const before = green.filter(({ check, command }) => vacuous.has(check) || vacuous.has(command)).length;
  const note =
    before === 0
      ? ''
      : `; ${before} ${before === 1 ? 'was' : 'were'} green before the work too, which proves nothing about it`;
  return [
    ...(green.length === 0 ? [] : [plain(`${formatCount(green.length, 'check')} green${note}`)]),
    ...redOf(state, task).map((check) => checkBlock(check, 'Check ')),
  ];
}

export function checkBlock(check: CheckEnd, label = '', ...advice: readonly Piece[]): Block {
  const { result, says, knownRed, alreadyRed, command } = check;
  const isRed = result !== 'green';
  const notes = [
    formatResult(check),
    ...(isRed && knownRed ? ['known red, excused'] : []),
    ...(isRed && alreadyRed ? ['already red before the work'] : []),
  ];
  const isTelling = isRed && result !== 'interrupted' && says !== undefined;
  const pieces = [label, code(formatCommand(command)), `: ${notes.join('; ')}`];
  const words = isTelling ? ['; it says: ', said(says)] : [];
  return block('item', isRed && !knownRed ? 'bad' : 'plain', ...pieces, ...words, ...advice);
}
