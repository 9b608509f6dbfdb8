// `pawl compare`: one plan with several agents or models, or earlier runs, side by side.
import { Failure } from '../failure.ts';
import type { Comparison } from '../journal/contender.ts';
import { listRuns } from '../journal/folder.ts';
import { formatComparison, formatLeft, writeComparison } from '../report/compare/comparison.ts';
import { comparePlan } from '../start/compare/compare-plan.ts';
import type { SharedOptions } from '../start/compare/preflight.ts';
import { measureRuns } from '../start/compare/standings.ts';
import { type CliContext, print, printLines, printNote, printNoteLines } from '../start/context.ts';
import { findNamedRun, findRunHolder, needPlace } from '../start/find-run.ts';
import { refuseFlags } from '../start/flags.ts';
import type { Command } from './command.ts';
import { needNamedRun, planMeant } from './meant-plan.ts';
import { reviewBranch } from './review.ts';

/** `format`: `text` by default. `review`: stages of the shared review. */
export type CompareOptions = SharedOptions &
  Readonly<{
    with?: readonly string[];
    jobs?: number;
    format?: 'text' | 'markdown' | 'json';
    review?: string;
  }>;

/** Compares. */
export const compareCommand: Command<CompareOptions> = async (context, words, options) => {
  const {
    with: contestants = [],
    jobs = 1,
    format = 'text',
    review = 'first',
    fresh = false,
    ...shared
  } = options;
  await refuseFlags(shared);
  const [word, ...more] = words;
  if (word === undefined) throw nothingNamed();
  if (contestants.length === 0 && !isPlan(context, word, more)) {
    show(context, compareRuns(context, words), format);
    return 0;
  }
  if (more.length > 0) throw onePlan(more);
  const stages = review.split(',').filter((name) => name.trim() !== '');
  const { comparison, exit } = await comparePlan(context, {
    given: planMeant(context, needPlace(context), word),
    with: contestants,
    jobs,
    fresh,
    stages,
    shared,
    reviewOne: (own, asked) => reviewBranch(own, [], asked),
  });
  show(context, comparison, format);
  printNoteLines(context, formatLeft(comparison));
  if (exit !== 0) printNote(context, '\nThe same command continues with what is left.');
  return exit;
};

function show(
  context: CliContext,
  comparison: Comparison,
  format: NonNullable<CompareOptions['format']>,
): void {
  if (format === 'json') print(context, JSON.stringify(comparison, null, 2));
  else if (format === 'markdown') context.stdout.write(writeComparison(comparison));
  else printLines(context, formatComparison(comparison));
}

/** A word that is not a run's id is a plan. */
function isPlan(context: CliContext, word: string, more: readonly string[]): boolean {
  return more.length === 0 && findNamedRun(listRuns(needPlace(context).commonDir), word) === undefined;
}

function compareRuns(context: CliContext, words: readonly string[]): Comparison {
  const place = needPlace(context);
  if (words.length < 2)
    throw new Failure('usage', 'one run alone cannot be compared', {
      hint: 'Name two or more: pawl compare RUN RUN. `pawl stats RUN` shows one.',
    });
  return measureRuns(
    words.map((word) => needNamedRun(context, place, word)),
    ({ run }) => findRunHolder(place, run) !== undefined,
  );
}

function nothingNamed(): Failure {
  return new Failure('usage', 'name a plan and its contenders, or two runs', {
    hint: "pawl compare plan.md --with 'claude:opus' --with 'codex', or: pawl compare RUN RUN",
  });
}

function onePlan(more: readonly string[]): Failure {
  return new Failure('usage', `--with takes one plan, but ${more.join(', ')} was given too`, {
    hint: 'Start one comparison per plan.',
  });
}
