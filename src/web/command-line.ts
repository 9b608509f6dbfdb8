// The command line that is equivalent to a command of the page.

import type { ControlCommand } from '../control/request.ts';
import { shellWord } from '../shell-word.ts';

/** What the page can ask for: what a terminal can, and undoing a task of a stopped run. */
export type WebCommand =
  | ControlCommand
  | Readonly<{ do: 'undo'; task: string; how?: 'with-later' | 'revert' }>;

export function commandLine(command: WebCommand, plan: string): string {
  const words = [...wordsOf(command), ...planOf(command, plan)];
  return ['pawl', ...words].join(' ');
}

function wordsOf(command: WebCommand): readonly string[] {
  switch (command.do) {
    case 'pause':
      return ['pause', ...(command.now ? ['--now'] : [])];
    case 'continue':
    case 'stop':
      return [command.do];
    case 'steer':
      return [
        'steer',
        ...(command.task === undefined ? [] : ['--task', shellWord(command.task)]),
        ...(command.now ? ['--now'] : []),
        shellWord(command.text),
      ];
    case 'skip':
    case 'retry':
      return [command.do, ...(command.task === undefined ? [] : [shellWord(command.task)])];
    case 'answer':
      return ['answer', shellWord(command.task), shellWord(command.answer)];
    case 'set-budget':
      return ['set', 'budget', String(command.maxCostUsd)];
    case 'undo':
      return ['undo', shellWord(command.task), ...(command.how === undefined ? [] : [`--${command.how}`])];
  }
}

function planOf({ do: what }: WebCommand, plan: string): readonly string[] {
  return what === 'pause' || what === 'continue' || what === 'stop'
    ? [shellWord(plan)]
    : ['--plan', shellWord(plan)];
}
