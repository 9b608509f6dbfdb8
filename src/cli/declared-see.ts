// Declares the commands that show runs.
import { seeOptions } from '../start/command-options.ts';
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
    options: seeOptions.status,
    inSession: true,
    load: async () => (await import('./status.ts')).showStatus,
  },
  logs: {
    says: 'Show what happened in a run, from its journal and sessions.',
    examples: [['pawl logs --since 30m --task 2', 'the last half hour of one task']],
    args: oneRun,
    options: seeOptions.logs,
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
    options: seeOptions.report,
    load: async () => (await import('./report.ts')).showReport,
  },
  diff: {
    says: 'Show what a run, or one of its tasks, has changed.',
    examples: [['pawl diff 2 --stat', 'the files of task 2']],
    args: { '[task]': 'Only this task; default: the whole run.' },
    options: { '--stat': 'Only files and line counts.', '--run <run>': anyRun },
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
    options: seeOptions.web,
    windsDown: true,
    load: async () => (await import('./web.ts')).showWeb,
  },
});
