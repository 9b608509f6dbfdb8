// All commands as data. Loads none of them.
import { submitOptions, takeOptions, workerOptions } from '../start/command-options.ts';
import { jsonOption, type OptionTable } from '../start/run-options.ts';
import { type CommandSpec, inGroup, runWord } from './command.ts';
import { runCommands } from './declared-run.ts';
import { seeCommands } from './declared-see.ts';
import { upkeepCommands } from './declared-upkeep.ts';

const fleetCommands = inGroup('Several machines', {
  'fleet take': {
    says: 'Continue here a run that another machine carried to a git remote.',
    examples: [
      ['pawl run login.md --carry origin', 'on the other machine: it carries the run'],
      ['pawl fleet take login', 'continues the run of the branch login at its current task'],
    ],
    args: { '<run>': 'A run, by its id or the beginning of it, or by its branch.' },
    options: takeOptions,
    windsDown: true,
    load: async () => (await import('./fleet.ts')).takeCarried,
  },
  'fleet submit': {
    says: 'Put a plan into the queue of a fleet.',
    examples: [
      ['pawl fleet submit docs/plans/login.md', 'as committed and pushed on the current branch'],
      [
        'pawl fleet submit login.md --base release --after 3f2a',
        'on the branch release, when job 3f2a is done',
      ],
    ],
    args: { '<plan>': { says: 'A plan that is on the base branch of origin.', names: 'plan' } },
    options: submitOptions,
    load: async () => (await import('./fleet.ts')).submit,
  },
  'fleet work': {
    says: 'Work on plans from a fleet’s queue until stopped, for the repositories in fleet.repos.',
    examples: [
      ['pawl fleet work --slots 2', 'two plans at once, each in a container'],
      ['pawl fleet work --sandbox none', 'on this machine itself: only for plans that you would run here'],
    ],
    options: workerOptions,
    windsDown: true,
    load: async () => (await import('./fleet.ts')).work,
  },
  fleet: {
    says: 'Show the queue, the workers and the runs of a fleet; cancel, answer, steer or stop a job.',
    examples: [
      ['pawl fleet 3f2a', 'one job, and what it needs to continue'],
      ['pawl fleet stop 3f2a', 'stops its run; also pause, continue, steer, skip, retry, budget'],
    ],
    args: {
      '[run]':
        'A job or run, by its id or the beginning of it; or what to do to the job that follows: cancel, answer, steer, pause, continue, stop, skip, retry, budget.',
      '[job]': 'The job to do it to.',
      '[words...]': 'A task and its answer, a note, a task, or US dollars.',
    },
    options: jsonOption,
    load: async () => (await import('./fleet.ts')).showFleet,
  },
});

const activeRun = runWord('the one that pawl works on here, otherwise the last');
const ofRun = { '--run <run>': activeRun };
const oneRun = { '[run]': activeRun };
const load = (name: string) => async () => (await import('./steer.ts')).steering(name);
const now = (says: string): OptionTable => ({ '--now': says });

const steerCommands = inGroup('See and steer', {
  pause: {
    says: 'Pause after the current session; you may edit the plan meanwhile.',
    examples: [['pawl pause --now', 'interrupts the session; its attempt does not count']],
    args: oneRun,
    options: now('Interrupt the running session.'),
    load: load('pause'),
  },
  continue: {
    says: 'End a pause, or end a wait early and try again now.',
    examples: [['pawl continue', 'from any terminal in the repository']],
    args: oneRun,
    load: load('continue'),
  },
  stop: {
    daily: true,
    says: 'Stop a run as Ctrl-C does; it can be resumed.',
    examples: [['pawl stop', '`pawl run` resumes it']],
    args: oneRun,
    load: load('stop'),
  },
  steer: {
    daily: true,
    says: 'Give the next session, or the current one, a note.',
    examples: [
      ['pawl steer "Use the existing table."', 'is added to the next prompt'],
      ['pawl steer --now "Leave the lock file alone."', 'tells the current session at once'],
    ],
    args: { '<text...>': 'The note.' },
    options: {
      '--task <id>': 'Only sessions of this task.',
      ...now('Interrupt the current session and continue it with the note.'),
      ...ofRun,
    },
    load: load('steer'),
  },
  skip: {
    says: 'Skip a task in this run; it stays open.',
    examples: [['pawl skip 4', 'task 4']],
    args: { '[task]': 'Task to skip; default: the current one.' },
    options: ofRun,
    load: load('skip'),
  },
  retry: {
    says: 'Give a failed, skipped or waiting task new attempts.',
    examples: [['pawl retry 4', 'also in a stopped run, from its next start on']],
    args: { '[task]': 'Task; may be left out if only one has failed, was skipped or waits.' },
    options: ofRun,
    load: load('retry'),
  },
  answer: {
    daily: true,
    says: 'Answer a parked task.',
    examples: [
      ['pawl answer 3 "Use the existing table."', 'is given to the next attempt'],
      ['pawl answer', 'shows the questions'],
    ],
    args: {
      '[task]': 'The task that asked.',
      '[answer...]': 'The answer.',
    },
    options: ofRun,
    load: load('answer'),
  },
  set: {
    says: 'Change the budget of a run.',
    examples: [['pawl set budget 20', '20 US dollars for the whole run; raises or lowers it']],
    args: {
      '<what>': { says: 'What to set.', choices: ['budget'] },
      '<value>': 'US dollars.',
    },
    options: ofRun,
    load: load('budget'),
  },
});

export const commands: readonly CommandSpec[] = [
  ...runCommands,
  ...seeCommands,
  ...steerCommands,
  ...fleetCommands,
  ...upkeepCommands,
];

export function findCommand(name: string): CommandSpec | undefined {
  return commands.find((spec) => spec.name === name);
}
