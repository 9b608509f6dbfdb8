// Declares the commands that steer a run.

import type { OptionSpec } from '../start/option.ts';
import type { CommandSpec } from './command.ts';

const group = 'See and steer';
const plan: OptionSpec = {
  flags: '--plan <plan>',
  says: 'Plan file; default: the plan of the active run here, otherwise of the last run.',
};
const planArgument = { name: '[plan]', says: plan.says };
const load = (name: string) => async () => (await import('./steer.ts')).steering(name);
const now = (says: string): OptionSpec => ({ flags: '--now', says });

export const steerCommands: readonly CommandSpec[] = [
  {
    name: 'pause',
    group,
    says: 'Pause after the current session; you may edit the plan meanwhile.',
    examples: [
      ['pawl pause', 'waits for the current session’s turn to end'],
      ['pawl pause --now', 'interrupts the session; its attempt does not count'],
    ],
    args: [planArgument],
    options: [now('Interrupt the running session.')],
    load: load('pause'),
  },
  {
    name: 'continue',
    group,
    says: 'End a pause, or end a wait early and try again now.',
    examples: [['pawl continue', 'from any terminal in the repository']],
    args: [planArgument],
    options: [],
    load: load('continue'),
  },
  {
    name: 'stop',
    daily: true,
    group,
    says: 'Stop a run as Ctrl-C does; it can be resumed.',
    examples: [['pawl stop', '`pawl run` resumes it']],
    args: [planArgument],
    options: [],
    load: load('stop'),
  },
  {
    name: 'steer',
    daily: true,
    group,
    says: 'Give the next session, or the current one, a note.',
    examples: [
      ['pawl steer "Use the existing table."', 'is added to the next prompt'],
      ['pawl steer --task 3 "Keep the old route."', 'is added to the next prompt for task 3'],
      ['pawl steer --now "Leave the lock file alone."', 'tells the current session at once'],
    ],
    args: [{ name: '<text...>', says: 'The note.' }],
    options: [
      { flags: '--task <id>', says: 'Only sessions of this task.' },
      now('Interrupt the current session and continue it with the note.'),
      plan,
    ],
    load: load('steer'),
  },
  {
    name: 'skip',
    group,
    says: 'Skip a task in this run; it stays open.',
    examples: [['pawl skip 4', 'task 4']],
    args: [{ name: '[task]', says: 'Task to skip; default: the current one.' }],
    options: [plan],
    load: load('skip'),
  },
  {
    name: 'retry',
    group,
    says: 'Give a failed, skipped or waiting task new attempts.',
    examples: [['pawl retry 4', 'also in a stopped run, from its next start on']],
    args: [{ name: '[task]', says: 'Task; may be left out if only one has failed, was skipped or waits.' }],
    options: [plan],
    load: load('retry'),
  },
  {
    name: 'answer',
    daily: true,
    group,
    says: 'Answer a parked task.',
    examples: [
      ['pawl answer 3 "Use the existing table."', 'is given to the next attempt'],
      ['pawl answer', 'shows the questions'],
    ],
    args: [
      { name: '[task]', says: 'The task that asked.' },
      { name: '[answer...]', says: 'The answer.' },
    ],
    options: [plan],
    load: load('answer'),
  },
  {
    name: 'set',
    group,
    says: 'Change the budget of a run.',
    examples: [['pawl set budget 20', '20 US dollars for the whole run; raises or lowers it']],
    args: [
      { name: '<what>', says: 'What to set.', choices: ['budget'] },
      { name: '<value>', says: 'US dollars.' },
    ],
    options: [plan],
    load: load('budget'),
  },
];
