// Formats the result of a check, alone and as the lines of its fact.
import type { FactOf } from '../../event.ts';
import { formatCommand, formatMs } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';

/** A check's result as one sentence without its command. */
export function formatResult(fact: FactOf<'check-ended'>): string {
  const took = formatMs(fact.durationMs);
  switch (fact.result) {
    case 'green':
      return `green in ${took}`;
    case 'red':
      return `red in ${took}, exit ${fact.exitCode ?? 'by a signal'}`;
    case 'could-not-run':
      return `could not run${formatWhyNot(fact.exitCode)}`;
    case 'interrupted':
      return `interrupted after ${took}`;
    case 'timed-out':
      return `timed out after ${took}`;
  }
}

/** The two codes by which a shell says that it could not run a program. */
function formatWhyNot(exitCode: number | null): string {
  if (exitCode === null) return '';
  const why = { 126: ' (a program is not executable)', 127: ' (a program was not found)' }[exitCode] ?? '';
  return `, exit ${exitCode}${why}`;
}

const whenName = {
  setup: '',
  lane: 'in a lane',
  draft: 'before any work',
  baseline: 'on the untouched tree',
  before: 'before the work',
  after: '',
  verify: 'on the commit',
  'at-end': 'at the end',
  fresh: 'in a fresh checkout',
} as const;

/** Whether it is one of the plan’s checks, tried where a tree was set up: the setup command itself has no number. */
export function isTrialOfLane({ when, check }: Pick<FactOf<'check-started'>, 'when' | 'check'>): boolean {
  return when === 'setup' && /:\d+$/.test(check);
}

/** Whose own check it is, if it runs for other work. */
function ofOther({ check, task, when }: FactOf<'check-ended'>): string {
  const owner = when === 'after' ? /^task:(.+):\d+$/.exec(check)?.[1] : undefined;
  return owner === undefined || task === undefined || owner === task ? '' : ` of task ${owner}`;
}

/** The lines for a check. `file`: where all its output is. */
export function formatCheck(fact: FactOf<'check-ended'>, verbose: boolean, file: string): readonly Line[] {
  const isTrial = isTrialOfLane(fact);
  const where = isTrial
    ? 'in a fresh lane'
    : fact.when === 'before'
      ? `before task ${fact.task}`
      : whenName[fact.when];
  const note =
    fact.knownRed && fact.result !== 'green'
      ? ' (known red, excused)'
      : fact.alreadyRed
        ? ' (already red before)'
        : '';
  const what = fact.when === 'setup' && !isTrial ? `worktree.${fact.check}` : `check${ofOther(fact)}`;
  const text = `${what} ${formatResult(fact)}${where && ` ${where}`}${note}: ${formatCommand(fact.command)}`;
  const log = line('dim', `its output: ${file}`, 2);
  const says = fact.says === undefined ? [] : [line('plain', fact.says, 2)];
  if (fact.result === 'interrupted') return [line('dim', text, 1)];
  // The draft shows the result.
  if (fact.when === 'draft') return verbose ? [line('dim', text, 1)] : [];
  // Before the work a red task check is as it should be; the task's start says which were green.
  if (fact.when === 'before' || (fact.when === 'lane' && fact.check.startsWith('task:')))
    return verbose ? [line('dim', text, 1)] : [];
  if (fact.result === 'green') return [line('good', text, 1), ...(verbose ? [log] : [])];
  return [line(fact.knownRed || fact.when === 'baseline' ? 'warn' : 'bad', text, 1), ...says, log];
}
