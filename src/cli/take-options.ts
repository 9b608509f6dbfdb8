// The options of `take`: where from, and what the run that goes on shares with `run`.
import type { OptionSpec } from '../start/option.ts';
import { sharedOptions } from '../start/shared-options.ts';

export const takeOptions: readonly OptionSpec[] = [
  {
    flags: '--from <remote>',
    says: 'The git remote that holds it; default: the setting carry.remote, else origin.',
  },
  ...sharedOptions('jobs', 'keepGoing', 'time', 'waitForAnswer', 'allowUnchecked', 'archive', 'pr', 'push'),
];
