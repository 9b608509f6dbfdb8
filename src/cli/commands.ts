// All commands as data. Loads none of them.

import { type CommandSpec, jsonOption } from './command.ts';
import { runCommands } from './declared-run.ts';
import { submitOptions, takeOptions, workerOptions } from './declared-run-options.ts';
import { seeCommands } from './declared-see.ts';
import { steerCommands } from './declared-steer.ts';
import { upkeepCommands } from './declared-upkeep.ts';

const group = 'Several machines';

const fleetCommands: readonly CommandSpec[] = [
  {
    name: 'fleet take',
    group,
    says: 'Continue here a run that another machine carried to a git remote.',
    examples: [
      ['pawl run login.md --carry origin', 'on the other machine: it carries the run'],
      ['pawl status --remote', 'lists what is carried'],
      ['pawl fleet take login', 'continues the run of the branch login at its current task'],
    ],
    args: [{ name: '<run>', says: 'A run, by its id or the beginning of it, or by its branch.' }],
    options: takeOptions,
    windsDown: true,
    load: async () => (await import('./fleet.ts')).takeCarried,
  },
  {
    name: 'fleet submit',
    group,
    says: 'Put a plan into the queue of a fleet.',
    examples: [
      ['pawl fleet submit docs/plans/login.md', 'as committed and pushed on the current branch'],
      [
        'pawl fleet submit login.md --base release --after 3f2a',
        'on the branch release, when job 3f2a is done',
      ],
    ],
    args: [{ name: '<plan>', says: 'A plan file that is on the base branch of origin.' }],
    options: submitOptions,
    load: async () => (await import('./fleet.ts')).submit,
  },
  {
    name: 'fleet work',
    group,
    says: 'Work on plans from a fleet’s queue until stopped, for the repositories in fleet.repos.',
    examples: [
      ['pawl fleet work --slots 2', 'two plans at once, each in a container'],
      ['pawl fleet work --sandbox none', 'on this machine itself: only for plans that you would run here'],
    ],
    args: [],
    options: workerOptions,
    windsDown: true,
    load: async () => (await import('./fleet.ts')).work,
  },
  {
    name: 'fleet',
    group,
    says: 'Show the queue, the workers and the runs of a fleet; cancel, answer, steer or stop a job.',
    examples: [
      ['pawl fleet 3f2a', 'one job, and what it needs to continue'],
      ['pawl fleet cancel 3f2a', 'takes it out of the queue, and from its worker'],
      ['pawl fleet stop 3f2a', 'stops its run; also pause, continue, steer, skip, retry, budget'],
    ],
    args: [
      {
        name: '[run]',
        says: 'A job or run, by its id or the beginning of it; or what to do to the job that follows: cancel, answer, steer, pause, continue, stop, skip, retry, budget.',
      },
      { name: '[job]', says: 'The job to do it to.' },
      { name: '[words...]', says: 'A task and its answer, a note, a task, or US dollars.' },
    ],
    options: [jsonOption],
    load: async () => (await import('./fleet.ts')).showFleet,
  },
];

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
