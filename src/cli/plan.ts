// `pawl plan`: makes a plan in a dialogue with a planner, writes it, and runs it on request. A run of its own, with its own
// journal; ../phase/planning/dialogue.ts is the dialogue.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { exitCodes, Failure, whyUnread } from '../failure.ts';
import { type Answers, parseAnswers } from '../plan/answers.ts';
import { findWritten } from '../report/receipt/receipt-dialogue.ts';
import { isConfirmed } from '../start/confirm.ts';
import type { CliContext } from '../start/context.ts';
import { chooseWay, makePerson } from '../start/dialogue/choose-person.ts';
import { type PlanOptions, planOptions } from '../start/dialogue/plan-options.ts';
import { prepareDialogue } from '../start/dialogue/prepare.ts';
import { driveRun } from '../start/drive-run.ts';
import { needPlace } from '../start/find-run.ts';
import { refuseFlags } from '../start/flags.ts';
import type { Command } from './command.ts';

export const makePlan: Command<PlanOptions> = async (context, words, options) => {
  await refuseFlags(options, planOptions);
  const takesStdin = words[0] === '-' || options.from === '-';
  const way = chooseWay(context, options, { takesStdin });
  const answers = options.answers === undefined ? undefined : readAnswersFile(options.answers, context.cwd);
  const prepared = await prepareDialogue(context, words, options);
  const { trusted } = prepared.request.about;
  const ended = await driveRun(context, prepared, {
    options,
    planning: {
      asked: prepared.dialogue.asked,
      makePerson: (screen) =>
        makePerson(context, way, { screen, options, answers, open: prepared.dialogue.open, trusted }),
    },
  });
  const written = findWritten(ended.state);
  if (ended.exit !== exitCodes.done || written === undefined) return ended.exit;
  if (!(await wantsRun(context, options, { written, canPick: way === 'picker' }))) return ended.exit;
  return runNow(context, written, options);
};

async function wantsRun(
  context: CliContext,
  { run }: PlanOptions,
  { written, canPick }: Readonly<{ written: string; canPick: boolean }>,
): Promise<boolean> {
  if (run !== undefined || !canPick || context.signal.aborted) return run ?? false;
  return isConfirmed(context, `Run ${written} now?`);
}

async function runNow(context: CliContext, written: string, options: PlanOptions): Promise<number> {
  const { runPlan } = await import('./run.ts');
  const {
    from: _f,
    issue: _i,
    output: _o,
    answers: _a,
    yes: _y,
    resume: _r,
    commit: _c,
    model: _m,
    ...shared
  } = options;
  return runPlan(context, [path.resolve(needPlace(context).root, written)], shared);
}

/** How a file of answers begins, for those who have none yet. */
const example = 'e.g. a line “database: Postgres”, and “default: recommended” for all other questions';

/**
 * The answers in a file, relative to `cwd`; a file that cannot be read or understood throws a usage Failure with file and
 * line.
 */
export function readAnswersFile(file: string, cwd: string): Answers {
  const reading = parseAnswers(readText(file, cwd));
  if ('answers' in reading) return reading.answers;
  const lines = reading.problems.map(({ line, column, text }) => `${file}:${line}:${column} ${text}`);
  const [first = ''] = lines;
  const sentence =
    lines.length === 1
      ? first
      : [`${lines.length} problems in the answers`, ...lines.map((line) => `  ${line}`)].join('\n');
  throw new Failure('usage', sentence, { hint: example });
}

function readText(file: string, cwd: string): string {
  try {
    return readFileSync(path.resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new Failure('usage', `${file} cannot be read: ${whyUnread(error)}`, {
      hint: example,
      cause: error,
    });
  }
}
