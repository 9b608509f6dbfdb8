// The options that `review`, `take` and `prove` share with `run`.
import { severities } from '../event/severity.ts';
import { type OptionSpec, pickOptions, sharedOptions } from '../start/run-options.ts';
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
    excludes: ['--pr'],
  },
  {
    flags: '--prove',
    says: 'Report findings; change nothing. Run their proofs, and count only what these confirm: the rest are notes.',
    excludes: ['--pr'],
  },
  {
    flags: '--fail-on <severity>',
    says: 'Exit 4 only for open findings at or above this severity, and for missing answers.',
    choices: [...severities],
  },
  ...sharedOptions('fresh', 'takeEdits', 'require', 'pr', 'push'),
];

/** Its request is there already. */
export const answerOptions: readonly OptionSpec[] = sharedOptions('fresh', 'takeEdits', 'watch').map(
  (option) => (option.flags.startsWith('--watch') ? { ...option, needs: [] } : option),
);

export const takeOptions: readonly OptionSpec[] = [
  {
    flags: '--from <remote>',
    says: 'The git remote that holds it; default: the setting carry.remote, else origin.',
  },
  ...sharedOptions('jobs', 'keepGoing', 'require', 'pr', 'push', 'stack', 'watch'),
];

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
  {
    flags: '--redefines <glob>',
    says: 'Old tests, fixtures and configuration that the work may change or remove on purpose; may be repeated.',
    many: true,
  },
  jsonOption,
  { flags: '--sarif', says: 'As SARIF on stdout, for code scanning.' },
  { flags: '--markdown', says: 'As Markdown on stdout, for a comment.' },
  { flags: '--out <folder>', says: 'Where proof.json, proof.sarif and proof.md are written, too.' },
  ...pickOptions('require', 'trust', 'trustHash'),
];

/** A worker passes these to its own pawl. */
const handedOn = ['trust', 'trustHash', 'jobs', 'maxCost', 'keepGoing', 'push', 'pr', 'stack'];

export const submitOptions: readonly OptionSpec[] = [
  {
    flags: '--base <branch>',
    says: 'Branch that holds the plan, and that the plan’s own branch starts from; default: the one checked out.',
  },
  {
    flags: '--branch <branch>',
    says: 'Branch for the work; default: named after the plan.',
  },
  {
    flags: '--after <job>',
    says: 'Start only when this job or run is done; with the same base, start from its work.',
  },
  { flags: '--json', says: 'The job as JSON.' },
  ...pickOptions(...handedOn).map(({ key: _, ...option }) => option),
];

export const workerOptions: readonly OptionSpec[] = [
  {
    flags: '--slots <n>',
    says: 'Plans at once; default: the setting fleet.slots.',
    atLeast: 1,
    key: 'fleet.slots',
  },
  {
    flags: '--sandbox <kind>',
    says: 'Where agents and checks run; default: docker, because other people wrote the plans.',
    choices: ['docker', 'process', 'none'],
  },
  { flags: '--once', says: 'End when the queue has nothing more for it.' },
];
