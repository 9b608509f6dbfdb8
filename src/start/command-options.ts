// The options of the commands that share some with `run`, and of those that show runs.
import { severities } from '../event/severity.ts';
import {
  jsonOption,
  type OptionsOf,
  type OptionTable,
  pickOptions,
  runOptions,
  sessionOptions,
} from './run-options.ts';

export const reviewOptions = {
  '--base <ref>': 'Review the changes since HEAD left this branch or commit; default: the default branch.',
  '--stage <name>': { says: 'Only this stage; may be repeated.', many: true },
  '--plan <plan>': {
    says: 'The plan whose goal and criteria the changes are checked against.',
    names: 'plan',
  },
  '--report-only': { says: 'Report findings; change nothing.', excludes: ['--pr'] },
  '--prove': {
    says: 'Report findings; change nothing. Run their proofs, and count only what these confirm: the rest are notes.',
    excludes: ['--pr'],
  },
  '--fail-on <severity>': {
    says: 'Exit 4 only for open findings at or above this severity, and for missing answers.',
    choices: severities,
  },
  ...pickOptions('--fresh', '--take-edits', '--require <word>', '--pr', '--push'),
  ...sessionOptions,
} as const satisfies OptionTable;

/** Its request is there already. */
export const answerOptions = {
  ...pickOptions('--fresh', '--take-edits', '--require <word>'),
  ...sessionOptions,
  '--watch <time>': { ...runOptions['--watch <time>'], needs: [] },
} as const satisfies OptionTable;

export const takeOptions = {
  '--from <remote>': 'The git remote that holds it; default: the setting carry.remote, else origin.',
  ...pickOptions('--jobs <n>', '--keep-going', '--require <word>'),
  ...pickOptions('--pr', '--push', '--stack', '--watch <time>'),
  ...sessionOptions,
} as const satisfies OptionTable;
export type TakeOptions = OptionsOf<typeof takeOptions>;

export const proveOptions = {
  '--base <ref>': 'What the branch is compared with, a branch or commit; default: the default branch.',
  '--check <command>': {
    says: 'A check; may be repeated. Default: those of the plan, of the base’s settings, or what pawl init would propose.',
    many: true,
  },
  '--redefines <glob>': {
    says: 'Old tests, fixtures and configuration that the work may change or remove on purpose; may be repeated.',
    many: true,
  },
  ...jsonOption,
  '--sarif': 'As SARIF on stdout, for code scanning.',
  '--markdown': 'As Markdown on stdout, for a comment.',
  '--out <folder>': 'Where proof.json, proof.sarif and proof.md are written, too.',
  ...pickOptions('--require <word>', '--trust', '--trust-hash <hash>'),
} as const satisfies OptionTable;
export type ProveOptions = OptionsOf<typeof proveOptions>;

export const submitOptions = {
  '--base <branch>':
    'Branch that holds the plan, and that the plan’s own branch starts from; default: the one checked out.',
  '--branch <branch>': 'Branch for the work; default: named after the plan.',
  '--after <job>': 'Start only when this job or run is done; with the same base, start from its work.',
  '--json': 'The job as JSON.',
  // A worker passes these to its own pawl.
  ...pickOptions('--trust', '--trust-hash <hash>', '--jobs <n>', '--max-cost <dollars>'),
  ...pickOptions('--keep-going', '--push', '--pr', '--stack'),
} as const satisfies OptionTable;
export type SubmitOptions = OptionsOf<typeof submitOptions>;

export const workerOptions = {
  '--slots <n>': { says: 'Plans at once; default: the setting fleet.slots.', atLeast: 1, key: 'fleet.slots' },
  '--sandbox <kind>': {
    says: 'Where agents and checks run; default: docker, because other people wrote the plans.',
    choices: ['docker', 'process', 'none'],
  },
  '--once': 'End when the queue has nothing more for it.',
} as const satisfies OptionTable;
export type WorkerOptions = OptionsOf<typeof workerOptions>;

export const planOptions = {
  '--from <file>': 'Read the request from a file: notes, a spec, another plan.',
  '--issue <n>': {
    says: 'Read the request from this issue of the repository, with gh.',
    atLeast: 1,
    excludes: ['--from'],
  },
  '-o, --output <file>': 'New file to write; default: docs/plans/YYYY-MM-DD-title.md.',
  '--yes':
    'Ask nobody: use the recommended answers and accept the draft. Checks are tried only in a trusted repository.',
  '--resume': {
    says: 'Resume the last dialogue, or the one of the named run.',
    excludes: ['--from', '--issue'],
  },
  '--run': 'Run the plan once it is written. A budget applies to the dialogue and to the run separately.',
  '--model <model[:effort]>': { says: 'Model of planning sessions, as model[:effort].', key: 'roles.plan' },
  ...sessionOptions,
} as const satisfies OptionTable;

export type PlanOptions = OptionsOf<typeof planOptions>;

export const seeOptions = {
  status: {
    '--all': 'Every run that has not been cleaned up.',
    '--line': {
      says: 'One short line, or none, for a shell’s prompt or a status bar.',
      excludes: ['--json', '--all'],
    },
    '--remote': {
      says: 'The runs carried to a git remote (carry.remote, else origin), as of their last push; finished ones with --all.',
      excludes: ['--line'],
    },
    ...jsonOption,
  },
  logs: {
    '-f, --follow': 'Follow the run as it happens.',
    '--task <id>': 'Only this task.',
    '--since <span>': {
      says: 'Only what happened since then, so long ago: 30m, 2h, 1d.',
      isTime: true,
    },
    '-v, --verbose': 'Show more.',
    ...jsonOption,
  },
  report: {
    '--findings': { says: 'Only what its review found, by status and severity.', excludes: ['--lessons'] },
    '--sarif': { says: 'What its review found, as SARIF 2.1.0.', excludes: ['--json', '--lessons'] },
    '--lessons': {
      says: 'Only what its sessions learnt, as lines for AGENTS.md or CLAUDE.md.',
      excludes: ['--json'],
    },
    ...jsonOption,
  },
  web: {
    '--here': 'Only the runs of this repository.',
    '--read-only': 'Print a link that can look but not act.',
    '--port <n>': {
      says: 'Port to listen on, 0 for any free one; default: 7295, or a free one where that is taken.',
      atLeast: 0,
    },
    '--host <address>': 'Address to listen on; default: 127.0.0.1, which only this machine reaches.',
    '--name <host>': {
      says: 'Another name that browsers reach it by, such as that of a proxy; may be repeated.',
      many: true,
    },
    '--until-idle': 'Stop after an hour without a live run or an open tab.',
    '--stop': { says: 'Stop the running dashboard.', excludes: ['--here'] },
  },
} as const satisfies Readonly<Record<string, OptionTable>>;
export type SeeOptions = { [Name in keyof typeof seeOptions]: OptionsOf<(typeof seeOptions)[Name]> };
