// The options of `plan`: its own, and those shared with `run`.
import { type OptionSpec, type RunFlags, sharedOptions } from '../run-options.ts';

export type PlanOptions = RunFlags &
  Readonly<{
    from?: string;
    issue?: number;
    output?: string;
    yes?: boolean;
    resume?: boolean;
    run?: boolean;
  }>;

export const planOptions: readonly OptionSpec[] = [
  { flags: '--from <file>', says: 'Read the request from a file: notes, a spec, another plan.' },
  {
    flags: '--issue <n>',
    says: 'Read the request from this issue of the repository, with gh.',
    atLeast: 1,
    excludes: ['--from'],
  },
  { flags: '-o, --output <file>', says: 'New file to write; default: docs/plans/YYYY-MM-DD-title.md.' },
  {
    flags: '--yes',
    says: 'Ask nobody: use the recommended answers and accept the draft. Checks are tried only in a trusted repository.',
  },
  {
    flags: '--resume',
    says: 'Resume the last dialogue, or the one of the named run.',
    excludes: ['--from', '--issue'],
  },
  {
    flags: '--run',
    says: 'Run the plan once it is written. A budget applies to the dialogue and to the run separately.',
  },
  {
    flags: '--model <model[:effort]>',
    says: 'Model of planning sessions, as model[:effort].',
    key: 'roles.plan',
  },
  ...sharedOptions(),
];
