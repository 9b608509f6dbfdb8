// Declares the commands that steer a run from any terminal, as data, without loading them.

import type { OptionSpec } from '../start/option.ts';
import type { CommandSpec } from './command.ts';

const group = 'See and steer';
const plan: OptionSpec = {
  flags: '--plan <plan>',
  says: 'Plan file; absent: that of the run going on here, else of the one worked on last.',
};
const planArgument = { name: '[plan]', says: plan.says };
const now = (says: string): OptionSpec => ({ flags: '--now', says });

/** Commands that a run takes while it goes on; those that can hold later also while it stands still. */
export const steerCommands: readonly CommandSpec[] = [
  {
    name: 'pause',
    group,
    says: 'Let nothing new start; the plan may be edited meanwhile.',
    examples: [
      ['pawl pause', 'after the running session’s turn'],
      ['pawl pause --now', 'interrupts it; its attempt does not count'],
    ],
    args: [planArgument],
    options: [now('Interrupt the running session.'), plan],
    load: async () => (await import('./steer.ts')).pauseRun,
  },
  {
    name: 'continue',
    group,
    says: 'End a pause, or cut a wait short and try again now.',
    examples: [['pawl continue', 'from any terminal in the repository']],
    args: [planArgument],
    options: [plan],
    load: async () => (await import('./steer.ts')).continueRun,
  },
  {
    name: 'stop',
    group,
    says: 'End a run as Ctrl-C does; it can be resumed.',
    examples: [['pawl stop', 'then `pawl run` goes on']],
    args: [planArgument],
    options: [plan],
    load: async () => (await import('./steer.ts')).stopRun,
  },
  {
    name: 'steer',
    group,
    says: 'Tell the next session something, or the running one.',
    examples: [
      ['pawl steer "Use the existing table."', 'goes into the next prompt'],
      ['pawl steer --task 3 "Keep the old route."', 'the next prompt for task 3'],
      ['pawl steer --now "Leave the lock file alone."', 'the running session hears it at once'],
    ],
    args: [{ name: '<text...>', says: 'What it should know.' }],
    options: [
      { flags: '--task <id>', says: 'Only sessions of this task.' },
      now('Interrupt the running session and let it go on with the note.'),
      plan,
    ],
    load: async () => (await import('./steer.ts')).steerRun,
  },
  {
    name: 'skip',
    group,
    says: 'Pass a task over in this run; it stays open.',
    examples: [
      ['pawl skip', 'the task in work'],
      ['pawl skip 4', 'task 4'],
    ],
    args: [{ name: '[task]', says: 'Task to pass over; absent: the one in work.' }],
    options: [plan],
    load: async () => (await import('./steer.ts')).skipTask,
  },
  {
    name: 'retry',
    group,
    says: 'Give a failed, skipped or waiting task new attempts.',
    examples: [['pawl retry 4', 'also for the next start of a stopped run']],
    args: [{ name: '[task]', says: 'Task; absent: the only one there is.' }],
    options: [plan],
    load: async () => (await import('./steer.ts')).retryTask,
  },
  {
    name: 'answer',
    group,
    says: 'Answer a parked task.',
    examples: [
      ['pawl answer 3 "Use the existing table."', 'goes into the next attempt'],
      ['pawl answer', 'shows the questions'],
    ],
    args: [
      { name: '[task]', says: 'Task that asked.' },
      { name: '[answer...]', says: 'The answer.' },
    ],
    options: [plan],
    load: async () => (await import('./answer.ts')).answerTask,
  },
  {
    name: 'set',
    group,
    says: 'Change what this run may spend.',
    examples: [['pawl set budget 20', 'US dollars for the whole run, more or less than before']],
    args: [
      { name: '<what>', says: 'What to set.', choices: ['budget'] },
      { name: '<value>', says: 'US dollars.' },
    ],
    options: [plan],
    load: async () => (await import('./steer.ts')).setForRun,
  },
];
