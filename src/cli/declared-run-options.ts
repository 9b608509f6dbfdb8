// The options of commands that share some with `run`: `review`, `take`, `prove`.
import { severities } from '../event/severity.ts';
import { sharedOptions } from '../start/flags.ts';
import { type OptionSpec, optionName } from '../start/option.ts';
import { runOptions } from '../start/run-options.ts';
import { jsonOption } from './command.ts';

export const reviewOptions: readonly OptionSpec[] = [
  {
    flags: '--base <ref>',
    says: 'Review the changes since HEAD left this branch or commit; default: the default branch.',
  },
  { flags: '--stage <name>', says: 'Only this stage; may be repeated.', many: true },
  { flags: '--plan <file>', says: 'The plan whose goal and criteria the changes are checked against.' },
  {
    flags: '--report-only',
    says: 'Report findings; change nothing.',
    excludes: {
      '--pr':
        'Leave out --pr, and print the findings for a comment by `pawl findings --markdown`; or leave out --report-only.',
    },
  },
  {
    flags: '--fail-on <severity>',
    says: 'Exit 4 only for open findings at or above this severity, and for missing answers.',
    choices: [...severities],
  },
  ...sharedOptions('fresh', 'takeEdits', 'require', 'tamper', 'pr', 'push'),
];

export const takeOptions: readonly OptionSpec[] = [
  {
    flags: '--from <remote>',
    says: 'The git remote that holds it; default: the setting carry.remote, else origin.',
  },
  ...sharedOptions('jobs', 'keepGoing', 'time', 'waitForAnswer', 'require', 'archive', 'pr', 'push'),
];

const proving = new Set(['require', 'trust', 'trustHash']);

export const proveOptions: readonly OptionSpec[] = [
  {
    flags: '--base <ref>',
    says: 'What the branch is compared with, a branch or commit; default: the default branch.',
  },
  {
    flags: '--check <command>',
    says: 'A check; may be repeated. Default: those of the plan, of the base’s settings, or what pawl init would propose.',
    many: true,
  },
  jsonOption,
  { flags: '--sarif', says: 'As SARIF on stdout, for code scanning.' },
  { flags: '--markdown', says: 'As Markdown on stdout, for a comment.' },
  ...runOptions.filter((option) => proving.has(optionName(option))),
];
