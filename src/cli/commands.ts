// All commands as data: what help, parser and completions know of them without loading any. It runs none.
import type { CommandSpec, OptionSpec } from './command.ts';
import { runOptions, setOption } from './run-options.ts';

const json: OptionSpec = { flags: '--json', says: 'The same as JSON on stdout.' };
const plan = { name: '[plan]', says: 'Plan file; absent: that of the newest run.' };

const doing = 'Run plans';
const seeing = 'See and steer';
const mending = 'Put right';
const settingUp = 'Set up';

export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    group: doing,
    says: 'Run a plan, or go on with an unfinished run of it.',
    examples: [
      ['pawl run docs/plans/login.md', 'every open task, checked and committed one by one'],
      ['pawl docs/plans/login.md', 'the same, shorter'],
      ['pawl run login.md --dry-run', 'what would be done; touches nothing'],
      ['pawl run login.md --max-cost 10 --keep-going', 'a night with a cap'],
      ['pawl run login.md --json --trust-hash 3f…', 'in CI'],
    ],
    args: [{ name: '[plan...]', says: 'Plan files, run in turn.' }],
    options: runOptions,
    windsDown: true,
    load: async () => (await import('./run.ts')).runPlan,
  },
  {
    name: 'lint',
    group: doing,
    says: 'Check plans for mistakes, with line and remedy.',
    examples: [
      ['pawl lint', 'all of docs/plans/'],
      ['pawl lint login.md --strict', 'warnings are errors'],
      ['pawl lint login.md --run-checks', 'finds checks that pass before the work'],
    ],
    args: [{ name: '[plan...]', says: 'Plan files; absent: docs/plans/*.md.' }],
    options: [
      { flags: '--strict', says: 'Warnings are errors.' },
      { flags: '--run-checks', says: 'Run the checks; one that passes before the work proves nothing.' },
      json,
    ],
    windsDown: true,
    inSession: true,
    load: async () => (await import('./lint.ts')).lintPlans,
  },
  {
    name: 'edit',
    group: doing,
    says: 'Change a plan in $EDITOR, also while it runs.',
    examples: [
      ['pawl edit login.md', 'a copy, linted, taken at the next round'],
      ['pawl edit login.md --take 3', 'takes the edit that was set aside as number 3'],
    ],
    args: [{ name: '<plan>', says: 'Plan file.' }],
    options: [{ flags: '--take <n>', says: 'Take a set-aside edit, plan-NNN.proposed.md.', atLeast: 1 }],
    windsDown: true,
    load: async () => (await import('./edit.ts')).editPlan,
  },
  {
    name: 'status',
    group: seeing,
    says: 'Where a run stands.',
    examples: [
      ['pawl status', 'the newest run'],
      ['pawl status login.md --json', 'for scripts'],
    ],
    args: [plan],
    options: [{ flags: '--all', says: 'Every run that is kept.' }, json],
    inSession: true,
    load: async () => (await import('./status.ts')).showStatus,
  },
  {
    name: 'logs',
    group: seeing,
    says: 'What happened in a run, from its journal and sessions.',
    examples: [
      ['pawl logs', 'the newest run'],
      ['pawl logs -f', 'and what happens next'],
      ['pawl logs --session 3', 'one session'],
    ],
    args: [plan],
    options: [
      { flags: '-f, --follow', says: 'Go on as it happens.' },
      { flags: '--session <n>', says: 'Only this session.', atLeast: 1 },
      { flags: '--raw', says: 'A session’s lines as the agent printed them.' },
      { flags: '-v, --verbose', says: 'Show more.' },
      json,
    ],
    load: async () => (await import('./logs.ts')).showLogs,
  },
  {
    name: 'report',
    group: seeing,
    says: 'The receipt of a run, fit for a pull request.',
    examples: [
      ['pawl report', 'the newest run'],
      ['pawl report login.md > body.md', 'for a pull request'],
    ],
    args: [plan],
    options: [{ flags: '--run <id>', says: 'This run instead of the newest.' }, json],
    load: async () => (await import('./report.ts')).showReport,
  },
  {
    name: 'answer',
    group: seeing,
    says: 'Answer a parked task.',
    examples: [
      ['pawl answer 3 "Use the existing table."', 'goes into the next attempt'],
      ['pawl answer', 'shows the questions'],
    ],
    args: [
      { name: '[task]', says: 'Task that asked.' },
      { name: '[answer...]', says: 'The answer.' },
    ],
    options: [{ flags: '--plan <plan>', says: 'Plan file; absent: that of the newest run.' }],
    load: async () => (await import('./answer.ts')).answerTask,
  },
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
      { flags: '--revert', says: 'Make a revert commit instead of going back.' },
      { flags: '--plan <plan>', says: 'Plan file; absent: that of the newest run.' },
    ],
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
    options: [{ flags: '--run <run>', says: 'Run; absent: the newest.' }, json],
    load: async () => (await import('./rescue.ts')).rescueCommand,
  },
  {
    name: 'clean',
    group: mending,
    says: 'Remove what old finished runs left in .git.',
    examples: [
      ['pawl clean --dry-run', 'what would go'],
      ['pawl clean --days 7', 'finished more than a week ago'],
    ],
    args: [],
    options: [
      { flags: '--dry-run', says: 'Only list.' },
      { flags: '--days <n>', says: 'Age of a finished run in days; absent: 30.', atLeast: 0 },
    ],
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
    options: [json],
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
    options: [{ flags: '--origin', says: 'Where each value comes from.' }, setOption, json],
    load: async () => (await import('./config.ts')).showConfig,
  },
  {
    name: 'trust',
    group: settingUp,
    says: 'Show or change whether this repository may run its own.',
    examples: [
      ['pawl trust', 'files, hash, consent'],
      ['pawl trust --yes', 'consents to them as they are'],
      ['pawl trust --revoke', 'takes it back'],
    ],
    args: [],
    options: [
      { flags: '-y, --yes', says: 'Consent to the files as they are now.' },
      { flags: '--revoke', says: 'Take consent back.' },
      json,
    ],
    load: async () => (await import('./trust.ts')).showTrust,
  },
  {
    name: 'demo',
    group: settingUp,
    says: 'Watch a run with a scripted agent: no key, no cost.',
    examples: [['pawl demo', 'in a temporary folder']],
    args: [{ name: '[folder]', says: 'Empty or new folder to use and keep.' }],
    options: [],
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
    args: [{ name: '<shell>', says: 'Shell.', choices: ['bash', 'zsh', 'fish', 'powershell'] }],
    options: [],
    load: async () => (await import('./completions.ts')).printCompletions,
  },
  {
    name: 'complete',
    group: '',
    hidden: true,
    says: 'Answer a shell’s completion script.',
    examples: [],
    args: [{ name: '[words...]', says: 'The command line so far.' }],
    options: [],
    load: async () => (await import('./completions.ts')).complete,
  },
];

/** The command of that name. */
export function findCommand(name: string): CommandSpec | undefined {
  return commands.find((spec) => spec.name === name);
}
