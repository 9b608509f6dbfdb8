// The options of `plan`: its own, and those it shares with `run`.
import type { OptionSpec } from '../option.ts';
import { type RunOptions, sharedOptions } from '../run-options.ts';

/** Options of `pawl plan` beside those it has in common with `run`. */
export type PlanOptions = RunOptions &
  Readonly<{
    from?: string;
    issue?: number;
    output?: string;
    answers?: string;
    yes?: boolean;
    /** False: `--no-try-checks`. */
    tryChecks?: boolean;
    resume?: boolean;
    commit?: boolean;
    run?: boolean;
  }>;

export const planOptions: readonly OptionSpec[] = [
  { flags: '--from <file>', says: 'Read what is wanted from a file: notes, a spec, another plan.' },
  {
    flags: '--issue <n>',
    says: 'Read it from this issue of the repository, by gh.',
    atLeast: 1,
    excludes: { '--from': 'Leave one of them out: the plan is made of one.' },
  },
  { flags: '-o, --output <file>', says: 'New file to write; absent: docs/plans/YYYY-MM-DD-title.md.' },
  { flags: '--answers <file>', says: 'YAML with answers to questions, for use without a person.' },
  {
    flags: '--yes',
    says: 'Ask nobody: take the recommended answers and accept the draft; checks are tried only in a trusted repository.',
  },
  { flags: '--no-try-checks', says: 'Do not run a draft’s checks to see whether they fail before the work.' },
  {
    flags: '--resume',
    says: 'Go on with the dialogue begun last, or with the one whose run is named.',
    excludes: { '--from': askedBefore('--from'), '--issue': askedBefore('--issue') },
  },
  { flags: '--commit', says: 'Commit the plan, alone, on this branch.' },
  {
    flags: '--run',
    says: 'Run the plan once it is written; a budget then holds for the dialogue and for the run, each on its own.',
  },
  {
    flags: '--model <model[:effort]>',
    says: 'Model of planning sessions. As model[:effort].',
    key: 'roles.plan',
  },
  ...sharedOptions('strict'),
];

/** A dialogue that goes on keeps its request. */
function askedBefore(flag: string): string {
  return `Leave out ${flag}: what is to be changed is said as a comment on the draft; or --resume, to begin anew.`;
}
