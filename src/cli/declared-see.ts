// Declares the commands that show what runs did and do, as data, without loading them.

import type { OptionSpec } from '../start/option.ts';
import { type CommandSpec, jsonOption } from './command.ts';

const group = 'See and steer';
const plan = {
  name: '[plan]',
  says: 'Plan file, or a part of its name; absent: that of the run worked on last.',
};
/** As the commands that steer take it. */
const planOption: OptionSpec = { flags: '--plan <plan>', says: 'The same as the argument.' };

/** Of several forms of the same only one is printed. */
function oneForm(...others: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    others.map((flag) => [flag, 'Leave one of them out: they are forms of the same.']),
  );
}

/** Commands that read runs and change nothing. */
export const seeCommands: readonly CommandSpec[] = [
  {
    name: 'status',
    group,
    says: 'Where a run stands.',
    examples: [
      ['pawl status', 'the run worked on last'],
      ['pawl status login.md --json', 'for scripts'],
    ],
    args: [plan],
    options: [{ flags: '--all', says: 'Every run that is kept.' }, planOption, jsonOption],
    inSession: true,
    load: async () => (await import('./status.ts')).showStatus,
  },
  {
    name: 'logs',
    group,
    says: 'What happened in a run, from its journal and sessions.',
    examples: [
      ['pawl logs', 'the run worked on last'],
      ['pawl logs -f', 'and what happens next'],
      ['pawl logs --session 3', 'one session'],
      ['pawl logs --since 30m --task 2', 'the last half hour of one task'],
    ],
    args: [plan],
    options: [
      { flags: '-f, --follow', says: 'Go on as it happens.' },
      { flags: '--task <id>', says: 'Only this task.' },
      { flags: '--session <n>', says: 'Only this session.', atLeast: 1 },
      {
        flags: '--since <when>',
        says: 'Only what happened since then: 30m ago, 02:30, or 2026-01-03T02:30.',
      },
      { flags: '-n, --lines <n>', says: 'Only the last lines; with --follow before what comes.', atLeast: 0 },
      { flags: '--raw', says: 'A session’s lines as the agent printed them.' },
      { flags: '-v, --verbose', says: 'Show more.' },
      planOption,
      jsonOption,
    ],
    load: async () => (await import('./logs.ts')).showLogs,
  },
  {
    name: 'report',
    group,
    says: 'The receipt of a run, fit for a pull request.',
    examples: [
      ['pawl report', 'the run worked on last'],
      ['pawl report login.md > body.md', 'for a pull request'],
      ['pawl report --junit > pawl.xml', 'for a CI server'],
    ],
    args: [plan],
    options: [
      {
        flags: '--run <id>',
        says: 'This run, by its id or the beginning of it, instead of the one worked on last.',
      },
      { flags: '--junit', says: 'As JUnit XML: a task is a test case.', excludes: oneForm('--json') },
      planOption,
      jsonOption,
    ],
    load: async () => (await import('./report.ts')).showReport,
  },
  {
    name: 'diff',
    group,
    says: 'What a run has changed, or one of its tasks.',
    examples: [
      ['pawl diff', 'all since the run began'],
      ['pawl diff 2 --stat', 'the files of task 2'],
    ],
    args: [{ name: '[task]', says: 'Only this task; absent: the whole run.' }],
    options: [
      { flags: '--stat', says: 'Files and numbers of lines only.' },
      { flags: '--plan <plan>', says: 'Plan file; absent: that of the run worked on last.' },
    ],
    load: async () => (await import('./diff.ts')).showDiff,
  },
  {
    name: 'findings',
    group,
    says: 'What the review of a run found, by standing and severity.',
    examples: [
      ['pawl findings', 'of the run worked on last'],
      ['pawl findings --sarif > pawl.sarif', 'for code scanning'],
    ],
    args: [plan],
    options: [
      {
        flags: '--run <id>',
        says: 'This run, by its id or the beginning of it, instead of the one worked on last.',
      },
      { flags: '--sarif', says: 'As SARIF 2.1.0.', excludes: oneForm('--json', '--markdown') },
      { flags: '--markdown', says: 'As Markdown.', excludes: oneForm('--json') },
      planOption,
      jsonOption,
    ],
    load: async () => (await import('./findings.ts')).showFindings,
  },
  {
    name: 'stats',
    group,
    says: 'What runs cost, how long they took, how often a person had to act.',
    examples: [
      ['pawl stats', 'the run worked on last, by task, phase, role and model'],
      ['pawl stats 20260102 login.md', 'two runs side by side'],
      ['pawl stats --all', 'every run that is kept, together'],
      ['pawl stats --all --csv > runs.csv', 'for a spreadsheet'],
    ],
    args: [{ name: '[run...]', says: 'Runs by id, its beginning, or plan; absent: the one worked on last.' }],
    options: [
      { flags: '--all', says: 'Every run that is kept, or every one of the plans named.' },
      { flags: '--csv', says: 'As CSV, a line for each run and part of it.', excludes: oneForm('--json') },
      jsonOption,
    ],
    load: async () => (await import('./stats.ts')).showStats,
  },
];
