// The receipt of one task's checks.

import type { FactOf } from '../../event.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import { isStillRed } from '../../journal/task-proof.ts';
import { formatResult } from '../events/format-check.ts';
import { type Block, block, code, type Piece, said } from '../text/block.ts';
import { formatCommand, formatCount } from '../text/figure.ts';

/** Green ones are counted, each red one is shown. */
export function checkBlocks(state: RunState, task: TaskState): readonly Block[] {
  const { green, red } = decidingChecks(state, task);
  return [
    ...(green.length === 0 ? [] : [block('item', 'plain', formatGreen(task, green))]),
    ...red.map(redBlock),
  ];
}

type Deciding = Readonly<Record<'green' | 'red', readonly FactOf<'check-ended'>[]>>;

/** On the commit if there are some, else after the last turn. */
function decidingChecks({ plan }: RunState, task: TaskState): Deciding {
  const last = new Map<string, FactOf<'check-ended'>>();
  for (const check of task.checks) if (check.when === 'after') last.set(check.check, check);
  for (const check of task.checks) if (check.when === 'verify') last.set(check.check, check);
  const all = [...last.values()];
  return {
    green: all.filter(({ result }) => result === 'green'),
    red: all.filter((check) => isStillRed(check, plan)),
  };
}

/** Whether it only names checks that are shown as red. */
export function isToldByChecks(state: RunState, task: TaskState, reason: string | undefined): boolean {
  const red = decidingChecks(state, task).red.filter(({ knownRed }) => !knownRed);
  return reason === `red: ${red.map(({ command }) => command).join('; ')}`;
}

function formatGreen({ start }: TaskState, green: readonly FactOf<'check-ended'>[]): string {
  const known = new Set(start?.vacuous ?? []);
  const before = green.filter(({ check, command }) => known.has(check) || known.has(command)).length;
  const count = `${formatCount(green.length, 'check')} green`;
  if (before === 0) return count;
  const which =
    before === green.length
      ? before === 1
        ? 'it was'
        : 'all were'
      : `${before} of them ${before === 1 ? 'was' : 'were'}`;
  return `${count}; ${which} green before the work too, which proves nothing about it`;
}

function redBlock(check: FactOf<'check-ended'>): Block {
  const note = [
    ...(check.knownRed ? ['known red, excused'] : []),
    ...(check.alreadyRed ? ['already red before the work'] : []),
  ];
  const pieces: readonly Piece[] = [
    'Check ',
    code(formatCommand(check.command)),
    `: ${[formatResult(check), ...note].join('; ')}`,
    ...saidBy(check),
  ];
  return block('item', check.knownRed ? 'plain' : 'bad', ...pieces);
}

export function saidBy({ result, says }: FactOf<'check-ended'>): readonly Piece[] {
  const isTelling = result !== 'green' && result !== 'interrupted';
  return says === undefined || !isTelling ? [] : ['; it says: ', said(says)];
}
