// Declares the commands for setup and repair, as data, without loading them.

import { setOption } from '../start/run-options.ts';
import { type CommandSpec, jsonOption } from './command.ts';

const mending = 'Put right';
const settingUp = 'Set up';

/** Commands around the work. */
export const upkeepCommands: readonly CommandSpec[] = [
  {
    name: 'undo',
    group: mending,
    says: 'Take a finished task back.',
    examples: [
      ['pawl undo 4', 'the last task: the branch goes back to its start'],
      ['pawl undo 2 --with-later', 'and all after it'],
    ],
    args: [{ name: '<task>', says: 'Task to take back.' }],
    options: [
      { flags: '--with-later', says: 'Take back what stands on it, too.' },
      {
        flags: '--revert',
        says: 'Make a revert commit instead of going back.',
        excludes: {
          '--with-later':
            'Leave out --with-later to take only this task back, --revert to take all after it back too.',
        },
      },
      { flags: '--plan <plan>', says: 'Plan file; absent: that of the run worked on last.' },
    ],
    windsDown: true,
    load: async () => (await import('./undo.ts')).undoCommand,
  },
  {
    name: 'rescue',
    group: mending,
    says: 'List, show or restore states that pawl saved.',
    examples: [
      ['pawl rescue', 'the list'],
      ['pawl rescue show 3', 'its files'],
      ['pawl rescue restore 3 src/a.ts', 'one file of it'],
    ],
    args: [
      { name: '[what]', says: 'What to do; absent: list.', choices: ['list', 'show', 'restore'] },
      { name: '[point]', says: 'Number of the saved state.' },
      { name: '[files...]', says: 'Only these files.' },
    ],
    options: [
      {
        flags: '--run <run>',
        says: 'Run, by its id or the beginning of it; absent: the one worked on last.',
      },
      jsonOption,
    ],
    windsDown: true,
    load: async () => (await import('./rescue.ts')).rescueCommand,
  },
  {
    name: 'clean',
    group: mending,
    says: 'Remove what old finished runs left in .git, and working trees of their own.',
    examples: [
      ['pawl clean --dry-run', 'what would go'],
      ['pawl clean --days 7', 'finished more than a week ago'],
    ],
    args: [],
    options: [
      { flags: '--dry-run', says: 'Only list.' },
      { flags: '--days <n>', says: 'Age of a finished run in days; absent: 30.', atLeast: 0 },
    ],
    windsDown: true,
    load: async () => (await import('./clean.ts')).cleanRuns,
  },
  {
    name: 'init',
    group: settingUp,
    says: 'Write .pawl/config.yaml and a first plan.',
    examples: [
      ['pawl init', 'asks'],
      ['pawl init --yes', 'takes what it proposes'],
    ],
    args: [],
    options: [{ flags: '-y, --yes', says: 'Ask nothing.' }],
    load: async () => (await import('./init.ts')).initProject,
  },
  {
    name: 'doctor',
    group: settingUp,
    says: 'Look at everything a run needs, before it costs anything.',
    examples: [['pawl doctor', 'a table with remedies']],
    args: [],
    options: [jsonOption],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'config',
    group: settingUp,
    says: 'Show settings and where they come from.',
    examples: [
      ['pawl config', 'what differs from the defaults'],
      ['pawl config show --origin', 'everything, and who says so'],
      ['pawl config schema > .pawl/schema.json', 'for editors'],
      ['pawl config path', 'the files'],
    ],
    args: [{ name: '[what]', says: 'What to show; absent: show.', choices: ['show', 'schema', 'path'] }],
    options: [{ flags: '--origin', says: 'Where each value comes from.' }, setOption, jsonOption],
    load: async () => (await import('./config.ts')).showConfig,
  },
  {
    name: 'trust',
    group: settingUp,
    says: 'Show or change whether this repository’s own commands may run.',
    examples: [
      ['pawl trust', 'files, hash, consent'],
      ['pawl trust --yes', 'consents to them as they are'],
      ['pawl trust --revoke', 'takes it back'],
    ],
    args: [],
    options: [
      { flags: '-y, --yes', says: 'Consent to the files as they are now.' },
      {
        flags: '--revoke',
        says: 'Take consent back.',
        excludes: { '--yes': 'Leave out --yes to take consent back, --revoke to give it.' },
      },
      jsonOption,
    ],
    load: async () => (await import('./trust.ts')).showTrust,
  },
  {
    name: 'demo',
    group: settingUp,
    says: 'Watch a run with a scripted agent: no key, no cost.',
    examples: [['pawl demo', 'in a temporary folder']],
    args: [],
    options: [
      { flags: '--agent <name>', says: 'Who works; claude spends tokens.', choices: ['scripted', 'claude'] },
      { flags: '--keep', says: 'Leave the repository to look at.' },
    ],
    windsDown: true,
    load: async () => (await import('./demo.ts')).runDemo,
  },
  {
    name: 'completions',
    group: settingUp,
    says: 'Print a completion script for a shell.',
    examples: [
      ['source <(pawl completions bash)', 'in ~/.bashrc'],
      ['source <(pawl completions zsh)', 'in ~/.zshrc'],
      ['pawl completions fish | source', 'in config.fish'],
    ],
    args: [
      {
        name: '<shell>',
        says: 'bash, zsh, fish or powershell.',
        choices: ['bash', 'zsh', 'fish', 'powershell'],
      },
    ],
    options: [],
    load: async (tree) => (await import('./completions.ts')).printCompletions(tree),
  },
  {
    name: 'complete',
    group: '',
    hidden: true,
    says: 'Answer a shell’s completion script.',
    examples: [],
    args: [{ name: '[words...]', says: 'The command line so far.' }],
    options: [],
    load: async (tree) => (await import('./completions.ts')).complete(tree),
  },
];
