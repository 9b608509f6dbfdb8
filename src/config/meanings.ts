// What settings that have an option say and take. Loaded with the command line, so without schemas.
import { agentNames } from '../agent-name.ts';

type Meaning = Readonly<{ says: string; choices?: readonly [string, ...string[]] }>;

export const meanings = {
  'agent.name': { says: `The agent that does the work: ${agentNames.join(', ')}, or a login of agents.` },
  branch: {
    says: 'Branch of the run; default: a new one named after the plan if the default branch or that of another plan’s run is checked out, otherwise the current one.',
  },
  'budgets.maxCost': { says: 'US dollars that the run may spend; default: no limit.' },
  'budgets.maxTime': {
    says: 'Time that the run may take, e.g. 8h, not counting pauses and stops; default: no limit.',
  },
  'carry.remote': {
    says: 'Git remote to carry the run to while it works, so that pawl fleet take can resume it on another machine; default: none.',
  },
  jobs: { says: 'Tasks that may run side by side, each in its own lane.' },
  keepGoing: {
    says: 'Continue with independent tasks after one has failed or waits for a person, and with the next plan after one that failed.',
  },
  require: {
    says: 'How tasks must be closed for exit code 0. proven: each task’s own check was red before it, or its tests are red without it, and no experiment speaks against it. passed: the checks are green. unchecked: anything goes.',
    choices: ['proven', 'passed', 'unchecked'],
  },
  'review.stages': {
    says: 'Stages of the review after the tasks: first, external, final, or your own. none, or an empty list: no review.',
  },
  'roles.task': { says: 'Model of task sessions, as model[:effort].' },
  'sandbox.kind': {
    says: 'Where agents and checks run. none: on this machine. docker: in a container without a network. process: each program in its own bubblewrap sandbox (Linux; no memory or process limits).',
    choices: ['none', 'docker', 'process'],
  },
} as const satisfies Readonly<Record<string, Meaning>>;
