// Declares the commands that show runs.
import { jsonOption } from '../start/run-options.ts';
import { inGroup, runWord } from './command.ts';

const anyRun = runWord('the last run');
const oneRun = { '[run]': anyRun };

export const seeCommands = inGroup('See and steer', {
  status: {
    daily: true,
    says: 'Show where a run stands.',
    examples: [
      ['pawl status login.md --json', 'for scripts'],
      ['pawl status --line', 'for a prompt, tmux or a status bar: quick, and never an error'],
    ],
    args: oneRun,
    options: {
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
    inSession: true,
    load: async () => (await import('./status.ts')).showStatus,
  },
  logs: {
    says: 'Show what happened in a run, from its journal and sessions.',
    examples: [['pawl logs --since 30m --task 2', 'the last half hour of one task']],
    args: oneRun,
    options: {
      '-f, --follow': 'Follow the run as it happens.',
      '--task <id>': 'Only this task.',
      '--since <span>': 'Only what happened since then, so long ago: 30m, 2h, 1d.',
      '-v, --verbose': 'Show more.',
      ...jsonOption,
    },
    load: async () => (await import('./logs.ts')).showLogs,
  },
  report: {
    daily: true,
    says: 'Show the receipt of a run, or what its review found, for a terminal or a pull request.',
    examples: [
      ['pawl report login.md > body.md', 'for a pull request'],
      ['pawl report --sarif > pawl.sarif', 'the same for code scanning'],
    ],
    args: oneRun,
    options: {
      '--findings': { says: 'Only what its review found, by status and severity.', excludes: ['--lessons'] },
      '--sarif': { says: 'What its review found, as SARIF 2.1.0.', excludes: ['--json', '--lessons'] },
      '--lessons': {
        says: 'Only what its sessions learnt, as lines for AGENTS.md or CLAUDE.md.',
        excludes: ['--json'],
      },
      ...jsonOption,
    },
    load: async () => (await import('./report.ts')).showReport,
  },
  diff: {
    says: 'Show what a run, or one of its tasks, has changed.',
    examples: [['pawl diff 2 --stat', 'the files of task 2']],
    args: { '[task]': 'Only this task; default: the whole run.' },
    options: {
      '--stat': 'Only files and line counts.',
      '--run <run>': anyRun,
    },
    load: async () => (await import('./report.ts')).showDiff,
  },
  stats: {
    says: 'Show what runs cost, how long they took, and how often a person had to act.',
    examples: [['pawl stats 20260102 login.md', 'two runs side by side']],
    args: { '[run...]': anyRun },
    options: jsonOption,
    load: async () => (await import('./report.ts')).showStats,
  },
  web: {
    daily: true,
    says: 'Show all runs in a browser, and act on them from there.',
    examples: [['pawl web --host 0.0.0.0', 'for a phone in the same network, with a QR code']],
    options: {
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
    windsDown: true,
    load: async () => (await import('./web.ts')).showWeb,
  },
});
