// Declares the options of `run`, and which settings they stand for.
import { meanings } from '../config/meanings.ts';

type OptionMeaning = Readonly<{
  says: string;
  choices?: readonly string[];
  /** See `ArgumentSpec`. */
  names?: 'plan' | 'run';
  /** A whole number of at least this. */
  atLeast?: number;
  /** With its unit. */
  isTime?: true;
  /** May be repeated; the value is a list. */
  many?: true;
  key?: string;
  /** Long flags it cannot be combined with. */
  excludes?: readonly string[];
  /** Long flags without which it has no effect. */
  needs?: readonly string[];
}>;

/** By the flags: `-q, --quiet`, `--task <id>`, `--set <key=value>`. A text is what it says. */
export type OptionTable = Readonly<Record<string, string | OptionMeaning>>;

export type OptionSpec = OptionMeaning & Readonly<{ flags: string }>;

export function listOptions(table: OptionTable): readonly OptionSpec[] {
  return Object.entries(table).map(([flags, of]) => ({
    flags,
    ...(typeof of === 'string' ? { says: of } : of),
  }));
}

type CamelCase<Word> = Word extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Word;
type NameOf<Flags> = Flags extends `${string}--${infer Rest}`
  ? Rest extends `${infer Word} ${string}`
    ? CamelCase<Word>
    : CamelCase<Rest>
  : never;
type ValueOf<Flags, Meaning> = Meaning extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Meaning extends { atLeast: number }
    ? number
    : Meaning extends { many: true }
      ? readonly string[]
      : Flags extends `${string}<${string}`
        ? string
        : boolean;

/** What a command gets of its options: `--max-tasks <n>` is `maxTasks`. */
export type OptionsOf<Table> = {
  readonly [Flags in keyof Table as NameOf<Flags> & string]?: ValueOf<Flags, Table[Flags]>;
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

function ofSetting<Name extends keyof typeof meanings>(key: Name) {
  return { key, ...meanings[key] };
}

export const runOptions = {
  '--task <id>': 'Only this task.',
  '--max-tasks <n>': { says: 'Stop after this many tasks.', atLeast: 1 },
  '--tasks-only': { says: 'Tasks only: no review, no archive.', excludes: ['--review'] },
  '--review <stages>': ofSetting('review.stages'),
  '--dry-run': { says: 'Show what would be done; change nothing.', excludes: ['--json'] },
  '--fresh': 'Start over instead of resuming the unfinished run.',
  '--from <id>': { says: 'Begin at this task and skip those before it.', excludes: ['--task'] },
  '--take-edits': {
    says: 'Make files that changed while the run was stopped part of the open task.',
    excludes: ['--fresh'],
  },
  '--trust': { says: 'Trust this repository as it is now.', excludes: ['--trust-hash'] },
  '--trust-hash <hash>': 'Trust this repository if its files have this hash (pawl trust shows it).',
  '--json': 'Events as NDJSON on stdout; the last is run-ended.',
  '-v, --verbose': 'Show more: the agent’s thinking, complete commands; with --json also its activity.',
  '-q, --quiet': {
    says: 'Show only what needs a person, and the receipt.',
    excludes: ['--verbose'],
  },
  '--require <word>': ofSetting('require'),
  '--jobs <n>': ofSetting('jobs'),
  '--keep-going': ofSetting('keepGoing'),
  '--branch <name>': ofSetting('branch'),
  '--worktree': 'Work in a checkout of the run’s own, and leave your tree alone: plans can run side by side.',
  '--sandbox <kind>': ofSetting('sandbox.kind'),
  '--web': {
    says: 'Also start the dashboard (pawl web), unless it is already running.',
    excludes: ['--dry-run'],
  },
  '--carry <remote>': ofSetting('carry.remote'),
  '--pr':
    'Open a pull or merge request for the finished run by gh or glab, and wait for its CI (ci.mode, ci.rounds).',
  '--stack': {
    says: 'With --pr and --push: a branch and a request for each task, each based on the one before.',
    needs: ['--pr', '--push'],
  },
  '--watch <time>': {
    says: 'Stay so long once there is a request, e.g. 8h, and answer comments as they come, until it is merged or closed.',
    isTime: true,
    needs: ['--pr'],
  },
  '--push': {
    says: 'With --pr: push a branch that the remote does not have yet; never with force.',
    needs: ['--pr'],
  },
  '--agent <name>': ofSetting('agent.name'),
  '--model <model[:effort]>': ofSetting('roles.task'),
  '--max-cost <dollars>': ofSetting('budgets.maxCost'),
  '--max-time <time>': ofSetting('budgets.maxTime'),
  '--set <key=value>': { says: 'Set any setting; may be repeated.', many: true },
} as const satisfies OptionTable;

export type RunFlags = OptionsOf<typeof runOptions>;

type Picked<Flags extends keyof typeof runOptions> = Pick<typeof runOptions, Flags>;

export function pickOptions<Flags extends keyof typeof runOptions>(...flags: Flags[]): Picked<Flags> {
  return Object.fromEntries(flags.map((each) => [each, runOptions[each]])) as Picked<Flags>;
}

/** Of each command that starts sessions. */
export const sessionOptions = {
  ...pickOptions('--trust', '--trust-hash <hash>', '--json', '-v, --verbose', '-q, --quiet'),
  ...pickOptions('--agent <name>', '--sandbox <kind>', '--max-cost <dollars>', '--max-time <time>'),
  ...pickOptions('--set <key=value>'),
};

export const jsonOption = { '--json': 'The same as JSON on stdout.' } as const satisfies OptionTable;
