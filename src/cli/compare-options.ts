// The options of `compare`: its own, and those that every contender's run gets.
import type { OptionSpec } from '../start/option.ts';
import { sharedOptions } from '../start/shared-options.ts';

/** `run` has the same words for what is no option of a comparison. */
const notShared: ReadonlySet<string> = new Set(['--agent <name>', '--json']);

export const compareOptions: readonly OptionSpec[] = [
  {
    flags: '--with <agent>',
    says: 'A contender: agent[:model[:effort]], then settings as key=value that only it has; once for each.',
    many: true,
  },
  { flags: '--jobs <n>', says: 'Contenders that run at the same time; default: 1.', atLeast: 1 },
  {
    flags: '--review <stages>',
    says: 'Stages of the review that looks at every contender; default: first. Empty: no review.',
  },
  {
    flags: '--format <format>',
    says: 'How the table is printed; default: text.',
    choices: ['text', 'markdown', 'json'],
  },
  ...sharedOptions('fresh', 'allowUnchecked', 'keepGoing', 'baseline', 'tamper', 'strict').filter(
    ({ flags }) => !notShared.has(flags),
  ),
];
