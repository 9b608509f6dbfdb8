// Declares the options of `run`, and which settings they stand for.

import { agentNames } from '../agent-name.ts';
import type { ProofWord } from '../event/proof.ts';
import { type OptionSpec, setOption } from './option.ts';

export type RunFlags = Readonly<{
  task?: string;
  maxTasks?: number;
  tasksOnly?: boolean;
  dryRun?: boolean;
  json?: boolean;
  verbose?: boolean;
  quiet?: boolean;
  fresh?: boolean;
  from?: string;
  takeEdits?: boolean;
  trust?: boolean;
  trustHash?: string;
  require?: ProofWord;
  jobs?: string;
  keepGoing?: boolean;
  branch?: string;
  worktree?: boolean;
  sandbox?: string;
  review?: string;
  baseline?: string;
  web?: boolean;
  carry?: string;
  pr?: boolean;
  stack?: boolean;
  push?: boolean;
  agent?: string;
  model?: string;
  maxCost?: string;
  maxTime?: string;
  maxSessions?: string;
  set?: readonly string[];
}>;

export const runOptions: readonly OptionSpec[] = [
  { flags: '--task <id>', says: 'Only this task.' },
  { flags: '--max-tasks <n>', says: 'Stop after this many tasks.', atLeast: 1 },
  {
    flags: '--tasks-only',
    says: 'Tasks only: no review, no archive.',
    excludes: { '--review': 'Leave out --tasks-only to have that review, --review to have none.' },
  },
  {
    flags: '--review <stages>',
    says: 'Stages of the review after the tasks: first, external, final, or your own. none, or an empty list: no review.',
    key: 'review.stages',
  },
  {
    flags: '--dry-run',
    says: 'Show what would be done; change nothing.',
    excludes: { '--json': 'Leave out --json: a dry run prints text only.' },
  },
  { flags: '--fresh', says: 'Start over instead of resuming the unfinished run.' },
  {
    flags: '--from <id>',
    says: 'Begin at this task and skip those before it.',
    excludes: { '--task': 'Leave out --from to do only that task, or --task to begin there and continue.' },
  },
  {
    flags: '--take-edits',
    says: 'Make files that changed while the run was stopped part of the open task.',
    excludes: {
      '--fresh':
        'Leave out --fresh to resume the stopped run, or --take-edits to start over: a new run has no open task.',
    },
  },
  {
    flags: '--trust',
    says: 'Trust this repository as it is now.',
    excludes: {
      '--trust-hash': 'Leave out --trust: --trust-hash trusts only the files that were looked at.',
    },
  },
  {
    flags: '--trust-hash <hash>',
    says: 'Trust this repository if its files have this hash (pawl trust shows it).',
  },
  { flags: '--json', says: 'Events as NDJSON on stdout; the last is run-ended.' },
  {
    flags: '-v, --verbose',
    says: 'Show more: the agent’s thinking, complete commands; with --json also its activity.',
  },
  {
    flags: '-q, --quiet',
    says: 'Show only what needs a person, and the receipt.',
    excludes: { '--verbose': 'Leave out --quiet to see more than usual, --verbose to see less.' },
  },
  {
    flags: '--require <word>',
    says: 'How tasks must be closed for exit code 0. proven: a check of its own was red before each task and is green after it. passed: the checks are green. unchecked: anything goes.',
    choices: ['proven', 'passed', 'unchecked'],
    key: 'require',
  },
  { flags: '--jobs <n>', says: 'Tasks that may run side by side, each in its own lane.', key: 'jobs' },
  {
    flags: '--keep-going',
    says: 'Continue with independent tasks after one has failed or waits for a person, and with the next plan after one that failed.',
    key: 'keepGoing',
  },
  {
    flags: '--branch <name>',
    says: 'Branch of the run; default: a new one named after the plan if the default branch or that of another plan’s run is checked out, otherwise the current one.',
    key: 'branch',
  },
  {
    flags: '--worktree',
    says: 'Work in a checkout of the run’s own, and leave your tree alone: plans can run side by side.',
  },
  {
    flags: '--sandbox <kind>',
    says: 'Where agents and checks run. none: on this machine. docker: in a container without a network. process: each program in its own bubblewrap sandbox (Linux; no memory or process limits).',
    choices: ['none', 'docker', 'process'],
    key: 'sandbox.kind',
  },
  {
    flags: '--baseline <what>',
    says: 'What to do if checks fail before the first task. auto: ask at a terminal, stop elsewhere, unless a task names the check. warn: begin all the same. skip: do not run them.',
    choices: ['auto', 'warn', 'skip'],
    key: 'baseline',
  },
  {
    flags: '--web',
    says: 'Also start the dashboard (pawl web), unless it is already running.',
    excludes: { '--dry-run': 'Leave out --web: a dry run starts nothing.' },
  },
  {
    flags: '--carry <remote>',
    says: 'Git remote to carry the run to while it works, so that pawl fleet take can resume it on another machine; default: none.',
    key: 'carry.remote',
  },
  {
    flags: '--pr',
    says: 'Open a pull or merge request for the finished run by gh or glab, and wait for its CI (ci.mode, ci.rounds).',
  },
  {
    flags: '--stack',
    says: 'With --pr and --push: a branch and a request for each task, each based on the one before.',
    needs: {
      '--pr': 'Add --pr; or leave out --stack.',
      '--push': 'Add --push: each task gets a branch of its own on the remote.',
    },
  },
  {
    flags: '--push',
    says: 'With --pr: push a branch that the remote does not have yet; never with force.',
    needs: { '--pr': 'Add --pr; or leave out --push, and push by hand when the run has ended.' },
  },
  {
    flags: '--agent <name>',
    says: `The agent that does the work: ${agentNames.join(', ')}, or a login of agents.`,
    key: 'agent.name',
  },
  {
    flags: '--model <model[:effort]>',
    says: 'Model of task sessions, as model[:effort].',
    key: 'roles.task',
  },
  {
    flags: '--max-cost <dollars>',
    says: 'US dollars that the run may spend; default: no limit.',
    key: 'budgets.maxCost',
  },
  {
    flags: '--max-time <time>',
    says: 'Time that the run may take, e.g. 8h, not counting pauses and stops; default: no limit.',
    key: 'budgets.maxTime',
  },
  {
    flags: '--max-sessions <n>',
    says: 'Sessions that the run may start; default: 5 × tasks + 20, plus what the review rounds may need.',
    key: 'budgets.maxSessions',
  },
  setOption,
];
