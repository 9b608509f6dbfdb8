// Declares the commands for setup and repair.
import { jsonOption } from '../start/run-options.ts';
import { type CommandSpec, inGroup, runWord } from './command.ts';

const anyRun = { '--run <run>': runWord('the last run') };

const repairCommands = inGroup('Repair', {
  undo: {
    daily: true,
    says: 'Undo a finished task.',
    examples: [['pawl undo 2 --with-later', 'and every task after it']],
    args: { '<task>': 'Task to undo.' },
    options: {
      '--with-later': 'Also undo the later tasks.',
      ...anyRun,
    },
    windsDown: true,
    load: async () => (await import('./undo.ts')).undoCommand,
  },
  rescue: {
    says: 'List, show or restore states that pawl saved.',
    examples: [['pawl rescue restore 3 src/a.ts', 'one of its files']],
    args: {
      '[what]': { says: 'What to do; default: list.', choices: ['list', 'show', 'restore'] },
      '[point]': 'Number of the saved state.',
      '[files...]': 'Only these files.',
    },
    options: anyRun,
    windsDown: true,
    load: async () => (await import('./rescue.ts')).rescueCommand,
  },
  clean: {
    says: 'Remove data and working trees of old finished runs.',
    examples: [['pawl clean --days 7', 'of runs that finished more than a week ago']],
    options: {
      '--dry-run': 'Only list what would be removed.',
      '--days <n>': { says: 'Minimum age of a finished run in days; default: 30.', atLeast: 0 },
    },
    windsDown: true,
    load: async () => (await import('./clean.ts')).cleanRuns,
  },
});

const setupCommands = inGroup('Set up', {
  init: {
    daily: true,
    says: 'Write .pawl/config.yaml and a first plan.',
    examples: [['pawl init --yes', 'takes what it proposes']],
    options: { '-y, --yes': 'Ask nothing and accept the proposals.' },
    load: async () => (await import('./init.ts')).initProject,
  },
  migrate: {
    says: 'Convert a ralphex setup: its settings, prompts and reviewers.',
    examples: [['pawl migrate --write', 'writes it to .pawl/ and your user folder; overwrites nothing']],
    options: { '--write': 'Write the files; overwrite nothing.' },
    load: async () => (await import('./migrate.ts')).migrateSetup,
  },
  doctor: {
    daily: true,
    says: 'Check everything a run needs, before it costs anything.',
    examples: [['pawl doctor', 'problems and remedies, and how much is in order']],
    options: { '-v, --verbose': 'List what is in order, too.', ...jsonOption },
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  notify: {
    says: 'Send a message to every address of notify.urls, as a test.',
    examples: [['PAWL_NOTIFY=ntfys://ntfy.sh/my-topic pawl notify test', 'one message to each address']],
    args: { '<what>': { says: 'What to send.', choices: ['test'] } },
    load: async () => (await import('./notify.ts')).notifyCommand,
  },
  config: {
    says: 'Show settings and where they come from.',
    examples: [
      ['pawl config show --origin', 'every setting and where it comes from'],
      ['pawl config schema > .pawl/schema.json', 'for editors'],
    ],
    args: { '[what]': { says: 'What to show; default: show.', choices: ['show', 'schema', 'path'] } },
    options: { '--origin': 'Where each value comes from.', ...jsonOption },
    load: async () => (await import('./config.ts')).showConfig,
  },
  trust: {
    says: 'Show or change whether this repository’s own commands may run.',
    examples: [['pawl trust --yes', 'consents to the files as they are']],
    options: {
      '-y, --yes': 'Consent to the files as they are now.',
      '--revoke': { says: 'Revoke consent.', excludes: ['--yes'] },
      ...jsonOption,
    },
    load: async () => (await import('./trust.ts')).showTrust,
  },
  demo: {
    says: 'Watch a run with a scripted agent: no key, no cost.',
    examples: [['pawl demo', 'in a temporary folder']],
    options: { '--keep': 'Keep the demo repository afterwards.' },
    windsDown: true,
    load: async () => (await import('./demo.ts')).runDemo,
  },
  completions: {
    says: 'Print a completion script for a shell.',
    examples: [
      ['source <(pawl completions bash)', 'in ~/.bashrc'],
      ['pawl completions fish | source', 'in config.fish'],
    ],
    args: {
      '<shell>': { says: 'bash, zsh, fish or powershell.', choices: ['bash', 'zsh', 'fish', 'powershell'] },
    },
    load: async (tree) => (await import('./completions.ts')).printCompletions(tree),
  },
  complete: {
    hidden: true,
    says: 'Answer a shell’s completion script.',
    examples: [],
    args: { '[words...]': 'The command line so far.' },
    load: async (tree) => (await import('./completions.ts')).complete(tree),
  },
});

export const upkeepCommands: readonly CommandSpec[] = [...repairCommands, ...setupCommands];
