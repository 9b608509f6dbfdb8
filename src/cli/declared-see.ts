// Declares the commands that show runs.
import { inGroup, jsonOption } from './command.ts';

const plan = {
  name: '[plan]',
  says: 'Plan file, part of its name, or a run by its id or the beginning of it; default: the last run.',
};

export const seeCommands = inGroup('See and steer', [
  {
    name: 'status',
    daily: true,
    says: 'Show where a run stands.',
    examples: [
      ['pawl status login.md --json', 'for scripts'],
      ['pawl status --line', 'for a prompt, tmux or a status bar: quick, and never an error'],
    ],
    args: [plan],
    options: [
      { flags: '--all', says: 'Every run that has not been cleaned up.' },
      {
        flags: '--line',
        says: 'One short line, or none, for a shell’s prompt or a status bar.',
        excludes: ['--json', '--all'],
      },
      {
        flags: '--remote',
        says: 'The runs carried to a git remote (carry.remote, else origin), as of their last push; finished ones with --all.',
        excludes: ['--line'],
      },
      jsonOption,
    ],
    inSession: true,
    load: async () => (await import('./status.ts')).showStatus,
  },
  {
    name: 'logs',
    says: 'Show what happened in a run, from its journal and sessions.',
    examples: [['pawl logs --since 30m --task 2', 'the last half hour of one task']],
    args: [plan],
    options: [
      { flags: '-f, --follow', says: 'Follow the run as it happens.' },
      { flags: '--task <id>', says: 'Only this task.' },
      {
        flags: '--since <span>',
        says: 'Only what happened since then, so long ago: 30m, 2h, 1d.',
      },
      { flags: '-v, --verbose', says: 'Show more.' },
      jsonOption,
    ],
    load: async () => (await import('./logs.ts')).showLogs,
  },
  {
    name: 'report',
    daily: true,
    says: 'Show the receipt of a run, or what its review found, for a terminal or a pull request.',
    examples: [
      ['pawl report login.md > body.md', 'for a pull request'],
      ['pawl report --sarif > pawl.sarif', 'the same for code scanning'],
    ],
    args: [plan],
    options: [
      {
        flags: '--findings',
        says: 'Only what its review found, by status and severity.',
        excludes: ['--lessons'],
      },
      {
        flags: '--sarif',
        says: 'What its review found, as SARIF 2.1.0.',
        excludes: ['--json', '--lessons'],
      },
      {
        flags: '--lessons',
        says: 'Only what its sessions learnt, as lines for AGENTS.md or CLAUDE.md.',
        excludes: ['--json'],
      },
      jsonOption,
    ],
    load: async () => (await import('./report.ts')).showReport,
  },
  {
    name: 'diff',
    says: 'Show what a run, or one of its tasks, has changed.',
    examples: [['pawl diff 2 --stat', 'the files of task 2']],
    args: [{ name: '[task]', says: 'Only this task; default: the whole run.' }],
    options: [
      { flags: '--stat', says: 'Only files and line counts.' },
      { flags: '--plan <plan>', says: 'Plan file; default: the plan of the last run.' },
    ],
    load: async () => (await import('./report.ts')).showDiff,
  },
  {
    name: 'stats',
    says: 'Show what runs cost, how long they took, and how often a person had to act.',
    examples: [['pawl stats 20260102 login.md', 'two runs side by side']],
    args: [{ ...plan, name: '[plan...]' }],
    options: [jsonOption],
    load: async () => (await import('./report.ts')).showStats,
  },
  {
    name: 'web',
    daily: true,
    says: 'Show all runs in a browser, and act on them from there.',
    examples: [['pawl web --host 0.0.0.0', 'for a phone in the same network, with a QR code']],
    options: [
      { flags: '--here', says: 'Only the runs of this repository.' },
      { flags: '--read-only', says: 'Print a link that can look but not act.' },
      {
        flags: '--port <n>',
        says: 'Port to listen on, 0 for any free one; default: 7295, or a free one where that is taken.',
        atLeast: 0,
      },
      {
        flags: '--host <address>',
        says: 'Address to listen on; default: 127.0.0.1, which only this machine reaches.',
      },
      {
        flags: '--name <host>',
        says: 'Another name that browsers reach it by, such as that of a proxy; may be repeated.',
        many: true,
      },
      { flags: '--until-idle', says: 'Stop after an hour without a live run or an open tab.' },
      {
        flags: '--stop',
        says: 'Stop the running dashboard.',
        excludes: ['--here'],
      },
    ],
    windsDown: true,
    load: async () => (await import('./web.ts')).showWeb,
  },
]);
