// The command line equivalent to a command of the page.
import type { ControlCommand } from '../control/request.ts';
import { shellWord } from '../shell-word.ts';

export function commandLine(command: ControlCommand, plan: string): string {
  const takesRun = command.do === 'pause' || command.do === 'continue' || command.do === 'stop';
  return ['pawl', ...wordsOf(command), ...(takesRun ? [] : ['--run']), shellWord(plan)].join(' ');
}

function wordsOf(command: ControlCommand): readonly string[] {
  switch (command.do) {
    case 'pause':
      return ['pause', ...(command.now ? ['--now'] : [])];
    case 'continue':
    case 'stop':
      return [command.do];
    case 'steer': {
      const { task, text, now } = command;
      const to = task === undefined ? [] : ['--task', shellWord(task)];
      return ['steer', ...to, ...(now ? ['--now'] : []), shellWord(text)];
    }
    case 'skip':
    case 'retry':
      return [command.do, ...(command.task === undefined ? [] : [shellWord(command.task)])];
    case 'answer':
      return ['answer', shellWord(command.task), shellWord(command.answer)];
    case 'set-budget':
      return ['set', 'budget', String(command.maxCostUsd)];
  }
}
