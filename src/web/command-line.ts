// The command line equivalent to a command of the page.
import type { ControlCommand } from '../control/request.ts';
import { shellWord } from '../shell-word.ts';

export function commandLine(command: ControlCommand, plan: string): string {
  const takesRun = command.do === 'pause' || command.do === 'continue' || command.do === 'stop';
  const [name, ...words] = wordsOf(command);
  return ['pawl', name, ...(takesRun ? [] : ['--run']), shellWord(plan), ...words].join(' ');
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
      return ['steer', ...to, ...(now ? ['--now'] : []), asText(text)];
    }
    case 'skip':
    case 'retry':
      return [command.do, ...(command.task === undefined ? [] : [shellWord(command.task)])];
    case 'answer':
      return ['answer', shellWord(command.task), asText(command.answer)];
    case 'set-budget':
      return ['set', 'budget', String(command.maxCostUsd)];
  }
}

/** What begins with a dash would be taken for an option. */
function asText(text: string): string {
  return `${text.startsWith('-') ? '-- ' : ''}${shellWord(text)}`;
}
