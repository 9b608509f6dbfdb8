// The options of `plan`: its own, and those shared with `run`.
import { type OptionsOf, type OptionTable, sharedOptions } from '../run-options.ts';

export const planOptions = {
  '--from <file>': 'Read the request from a file: notes, a spec, another plan.',
  '--issue <n>': {
    says: 'Read the request from this issue of the repository, with gh.',
    atLeast: 1,
    excludes: ['--from'],
  },
  '-o, --output <file>': 'New file to write; default: docs/plans/YYYY-MM-DD-title.md.',
  '--yes':
    'Ask nobody: use the recommended answers and accept the draft. Checks are tried only in a trusted repository.',
  '--resume': {
    says: 'Resume the last dialogue, or the one of the named run.',
    excludes: ['--from', '--issue'],
  },
  '--run': 'Run the plan once it is written. A budget applies to the dialogue and to the run separately.',
  '--model <model[:effort]>': { says: 'Model of planning sessions, as model[:effort].', key: 'roles.plan' },
  ...sharedOptions(),
} as const satisfies OptionTable;

export type PlanOptions = OptionsOf<typeof planOptions>;
