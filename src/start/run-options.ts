// Declares the options of `run`, and which settings they stand for.
import { meanings } from '../config/meanings.ts';
import type { ProofWord } from '../event/proof.ts';

export type OptionSpec = Readonly<{
  /** `-q, --quiet`, `--task <id>`, `--set <key=value>`. */
  flags: string;
  says: string;
  choices?: readonly string[];
  /** A whole number of at least this. */
  atLeast?: number;
  /** Listed after the others. */
  rare?: true;
  /** May be repeated; the value is a list. */
  many?: boolean;
  key?: string;
  /** Long flags it cannot be combined with. */
  excludes?: readonly string[];
  /** Long flags without which it has no effect. */
  needs?: readonly string[];
}>;

function ofSetting(flags: string, key: keyof typeof meanings): OptionSpec {
  return { flags, key, ...meanings[key] };
}

const setOption: OptionSpec = {
  flags: '--set <key=value>',
  says: 'Set any setting; may be repeated.',
  many: true,
};

/** `--max-tasks` of `--max-tasks <n>`. */
export function longFlag({ flags }: Pick<OptionSpec, 'flags'>): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

/** `--max-tasks <n>` is `maxTasks`. */
export function optionName(spec: Pick<OptionSpec, 'flags'>): string {
  const word = longFlag(spec).replace(/^--/, '');
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

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
  web?: boolean;
  carry?: string;
  pr?: boolean;
  stack?: boolean;
  watch?: string;
  push?: boolean;
  agent?: string;
  model?: string;
  maxCost?: string;
  maxTime?: string;
  set?: readonly string[];
}>;

export const runOptions: readonly OptionSpec[] = [
  { flags: '--task <id>', says: 'Only this task.' },
  { flags: '--max-tasks <n>', says: 'Stop after this many tasks.', atLeast: 1 },
  { flags: '--tasks-only', says: 'Tasks only: no review, no archive.', excludes: ['--review'] },
  ofSetting('--review <stages>', 'review.stages'),
  { flags: '--dry-run', says: 'Show what would be done; change nothing.', excludes: ['--json'] },
  { flags: '--fresh', says: 'Start over instead of resuming the unfinished run.' },
  { flags: '--from <id>', says: 'Begin at this task and skip those before it.', excludes: ['--task'] },
  {
    flags: '--take-edits',
    says: 'Make files that changed while the run was stopped part of the open task.',
    excludes: ['--fresh'],
  },
  { flags: '--trust', says: 'Trust this repository as it is now.', excludes: ['--trust-hash'] },
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
    excludes: ['--verbose'],
  },
  ofSetting('--require <word>', 'require'),
  ofSetting('--jobs <n>', 'jobs'),
  ofSetting('--keep-going', 'keepGoing'),
  ofSetting('--branch <name>', 'branch'),
  {
    flags: '--worktree',
    says: 'Work in a checkout of the run’s own, and leave your tree alone: plans can run side by side.',
  },
  ofSetting('--sandbox <kind>', 'sandbox.kind'),
  {
    flags: '--web',
    says: 'Also start the dashboard (pawl web), unless it is already running.',
    excludes: ['--dry-run'],
  },
  ofSetting('--carry <remote>', 'carry.remote'),
  {
    flags: '--pr',
    says: 'Open a pull or merge request for the finished run by gh or glab, and wait for its CI (ci.mode, ci.rounds).',
  },
  {
    flags: '--stack',
    says: 'With --pr and --push: a branch and a request for each task, each based on the one before.',
    needs: ['--pr', '--push'],
  },
  {
    flags: '--watch <time>',
    says: 'Stay so long once there is a request, e.g. 8h, and answer comments as they come, until it is merged or closed.',
    needs: ['--pr'],
  },
  {
    flags: '--push',
    says: 'With --pr: push a branch that the remote does not have yet; never with force.',
    needs: ['--pr'],
  },
  ofSetting('--agent <name>', 'agent.name'),
  ofSetting('--model <model[:effort]>', 'roles.task'),
  ofSetting('--max-cost <dollars>', 'budgets.maxCost'),
  ofSetting('--max-time <time>', 'budgets.maxTime'),
  setOption,
];

/** Of each command that starts sessions. */
const ofEverySession = 'trust trustHash json verbose quiet agent sandbox maxCost maxTime set'.split(' ');

export function sharedOptions(...more: readonly string[]): readonly OptionSpec[] {
  return pickOptions(...ofEverySession, ...more);
}

export function pickOptions(...names: readonly string[]): readonly OptionSpec[] {
  return runOptions.filter((option) => names.includes(optionName(option)));
}
