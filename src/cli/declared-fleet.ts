// Declares the commands of a fleet, as data, without loading them.
import { type CommandSpec, jsonOption } from './command.ts';
import { submitOptions, workerOptions } from './fleet-options.ts';

const group = 'Several machines';

/** Commands that work with a queue on PostgreSQL. */
export const fleetCommands: readonly CommandSpec[] = [
  {
    name: 'submit',
    group,
    says: 'Put a plan into the queue of a fleet.',
    examples: [
      ['pawl submit docs/plans/login.md', 'as committed and pushed on the current branch'],
      [
        'pawl submit login.md --label gpu --after 3f2a',
        'on a machine with that label, when job 3f2a is done',
      ],
      ['pawl submit login.md --wait', 'waits, and exits with its run’s exit code'],
    ],
    args: [{ name: '<plan>', says: 'A plan file that is on the base branch of origin.' }],
    options: submitOptions,
    load: async () => (await import('./submit.ts')).submit,
  },
  {
    name: 'worker',
    group,
    says: 'Work on plans from a fleet’s queue until stopped, for the repositories in fleet.repos.',
    examples: [
      ['pawl worker --slots 2', 'two plans at once, each in a container'],
      [
        'pawl worker --labels gpu,big --sandbox none',
        'on this machine itself: only for plans that you would run here',
      ],
    ],
    args: [],
    options: workerOptions,
    windsDown: true,
    load: async () => (await import('./worker.ts')).work,
  },
  {
    name: 'fleet',
    group,
    says: 'Show the queue, the workers and the runs of a fleet; cancel, release, answer, steer or stop a job.',
    examples: [
      ['pawl fleet', 'all of it'],
      ['pawl fleet 3f2a', 'one job, and what it needs to continue'],
      ['pawl fleet cancel 3f2a', 'takes it out of the queue, and from its worker'],
      ['pawl fleet release 3f2a', 'starts it before the job it waits for is done'],
      [
        'pawl fleet answer 3f2a 3 "Use the existing table."',
        'answers task 3 of its run, wherever that works',
      ],
      ['pawl fleet stop 3f2a', 'stops its run; also pause, continue, steer, skip, retry, budget'],
    ],
    args: [
      {
        name: '[run]',
        says: 'A job or run, by its id or the beginning of it; or what to do to the job that follows: cancel, release, answer, steer, pause, continue, stop, skip, retry, budget.',
      },
      { name: '[job]', says: 'The job to do it to.' },
      { name: '[words...]', says: 'A task and its answer, a note, a task, or US dollars.' },
    ],
    options: [jsonOption],
    load: async () => (await import('./fleet.ts')).showFleet,
  },
];
