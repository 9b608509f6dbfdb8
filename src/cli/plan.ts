// `pawl plan`: makes a plan in a dialogue with a planner, writes it, and runs it on request. A run of its own, with its own
// journal; ../phase/planning/dialogue.ts is the dialogue.
import path from 'node:path';
import { exitCodes } from '../failure.ts';
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
import { readAnswersFile } from './read-answers.ts';

/** Makes a plan. */
export const makePlan: Command<PlanOptions> = async (context, words, options) => {
  await refuseFlags(options, planOptions);
  const takesStdin = words[0] === '-' || options.from === '-';
  const way = chooseWay(context, options, { takesStdin });
  const answers = options.answers === undefined ? undefined : readAnswersFile(options.answers, context.cwd);
  const prepared = await prepareDialogue(context, words, options);
  const { trusted } = prepared.request.about;
  const ended = await driveRun(
    context,
    { ...prepared, release: () => {} },
    {
      options,
      planning: {
        asked: prepared.asked,
        makePerson: (screen) =>
          makePerson(context, way, { screen, options, answers, open: prepared.open, trusted }),
      },
    },
  );
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
