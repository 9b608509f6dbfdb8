// Declares the commands for setup and repair.
import { type CommandSpec, inGroup, jsonOption } from './command.ts';

const repairCommands = inGroup('Repair', [
  {
    name: 'undo',
    daily: true,
    says: 'Undo a finished task.',
    examples: [['pawl undo 2 --with-later', 'and every task after it']],
    args: [{ name: '<task>', says: 'Task to undo.' }],
    options: [
      { flags: '--with-later', says: 'Also undo the later tasks.' },
      { flags: '--plan <plan>', says: 'Plan file; default: the plan of the last run.' },
    ],
    windsDown: true,
    load: async () => (await import('./undo.ts')).undoCommand,
  },
  {
    name: 'rescue',
    says: 'List, show or restore states that pawl saved.',
    examples: [['pawl rescue restore 3 src/a.ts', 'one of its files']],
    args: [
      { name: '[what]', says: 'What to do; default: list.', choices: ['list', 'show', 'restore'] },
      { name: '[point]', says: 'Number of the saved state.' },
      { name: '[files...]', says: 'Only these files.' },
    ],
    options: [
      {
        flags: '--run <run>',
        says: 'Run by id or beginning of an id; default: the last run.',
      },
    ],
    windsDown: true,
    load: async () => (await import('./rescue.ts')).rescueCommand,
  },
  {
    name: 'clean',
    says: 'Remove data and working trees of old finished runs.',
    examples: [['pawl clean --days 7', 'of runs that finished more than a week ago']],
    options: [
      { flags: '--dry-run', says: 'Only list what would be removed.' },
      { flags: '--days <n>', says: 'Minimum age of a finished run in days; default: 30.', atLeast: 0 },
      { flags: '--remote', says: 'Of the git remote that runs were carried to (carry.remote, else origin).' },
    ],
    windsDown: true,
    load: async () => (await import('./clean.ts')).cleanRuns,
  },
]);

const setupCommands = inGroup('Set up', [
  {
    name: 'init',
    daily: true,
    says: 'Write .pawl/config.yaml and a first plan.',
    examples: [['pawl init --yes', 'takes what it proposes']],
    options: [{ flags: '-y, --yes', says: 'Ask nothing and accept the proposals.' }],
    load: async () => (await import('./init.ts')).initProject,
  },
  {
    name: 'migrate',
    says: 'Convert a ralphex setup: its settings, prompts and reviewers.',
    examples: [['pawl migrate --write', 'writes it to .pawl/ and your user folder; overwrites nothing']],
    options: [{ flags: '--write', says: 'Write the files; overwrite nothing.' }],
    load: async () => (await import('./migrate.ts')).migrateSetup,
  },
  {
    name: 'doctor',
    daily: true,
    says: 'Check everything a run needs, before it costs anything.',
    examples: [['pawl doctor', 'problems and remedies, and how much is in order']],
    options: [{ flags: '-v, --verbose', says: 'List what is in order, too.' }, jsonOption],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'notify',
    says: 'Send a message to every address of notify.urls, as a test.',
    examples: [['PAWL_NOTIFY=ntfys://ntfy.sh/my-topic pawl notify test', 'one message to each address']],
    args: [{ name: '<what>', says: 'What to send.', choices: ['test'] }],
    load: async () => (await import('./notify.ts')).notifyCommand,
  },
  {
    name: 'config',
    says: 'Show settings and where they come from.',
    examples: [
      ['pawl config show --origin', 'every setting and where it comes from'],
      ['pawl config schema > .pawl/schema.json', 'for editors'],
    ],
    args: [{ name: '[what]', says: 'What to show; default: show.', choices: ['show', 'schema', 'path'] }],
    options: [{ flags: '--origin', says: 'Where each value comes from.' }, jsonOption],
    load: async () => (await import('./config.ts')).showConfig,
  },
  {
    name: 'trust',
    says: 'Show or change whether this repository’s own commands may run.',
    examples: [['pawl trust --yes', 'consents to the files as they are']],
    options: [
      { flags: '-y, --yes', says: 'Consent to the files as they are now.' },
      {
        flags: '--revoke',
        says: 'Revoke consent.',
        excludes: ['--yes'],
      },
      jsonOption,
    ],
    load: async () => (await import('./trust.ts')).showTrust,
  },
  {
    name: 'demo',
    says: 'Watch a run with a scripted agent: no key, no cost.',
    examples: [['pawl demo', 'in a temporary folder']],
    options: [{ flags: '--keep', says: 'Keep the demo repository afterwards.' }],
    windsDown: true,
    load: async () => (await import('./demo.ts')).runDemo,
  },
  {
    name: 'completions',
    says: 'Print a completion script for a shell.',
    examples: [
      ['source <(pawl completions bash)', 'in ~/.bashrc'],
      ['pawl completions fish | source', 'in config.fish'],
    ],
    args: [
      {
        name: '<shell>',
        says: 'bash, zsh, fish or powershell.',
        choices: ['bash', 'zsh', 'fish', 'powershell'],
      },
    ],
    load: async (tree) => (await import('./completions.ts')).printCompletions(tree),
  },
  {
    name: 'complete',
    hidden: true,
    says: 'Answer a shell’s completion script.',
    examples: [],
    args: [{ name: '[words...]', says: 'The command line so far.' }],
    load: async (tree) => (await import('./completions.ts')).complete(tree),
  },
]);

export const upkeepCommands: readonly CommandSpec[] = [...repairCommands, ...setupCommands];
