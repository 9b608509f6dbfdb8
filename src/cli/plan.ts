// `pawl plan`: makes a plan in a dialogue, writes it, and runs it on request.
import path from 'node:path';
import { exitCodes } from '../failure.ts';
import { findWritten } from '../report/view/report-next.ts';
import { type PlanOptions, planOptions } from '../start/command-options.ts';
import type { CliContext } from '../start/context.ts';
import { personAt } from '../start/dialogue/lines.ts';
import { refuseNobody, sayYes } from '../start/dialogue/person.ts';
import { prepareDialogue } from '../start/dialogue/prepare.ts';
import { driveRun } from '../start/drive-run.ts';
import { needPlace } from '../start/find-run.ts';
import { refuseFlags } from '../start/load-settings.ts';
import type { Command } from './command.ts';

export const makePlan: Command<PlanOptions> = async (context, words, options) => {
  refuseFlags(options, planOptions);
  if (!options.yes) refuseNobody(context, words[0] === '-' || options.from === '-');
  const prepared = await prepareDialogue(context, words, options);
  const { about, open } = prepared.runPlan;
  const ended = await driveRun(context, prepared, {
    makePerson: (screen) =>
      options.yes
        ? sayYes(about.ground.trusted)
        : personAt(context, { screen, open: open?.state.dialogue.at(-1) }),
  });
  const written = findWritten(ended.state);
  if (ended.exit !== exitCodes.done || written === undefined || !options.run) return ended.exit;
  return runNow(context, written, options);
};

async function runNow(context: CliContext, written: string, options: PlanOptions): Promise<number> {
  const { runPlan } = await import('./run.ts');
  const { from: _f, issue: _i, output: _o, yes: _y, resume: _r, model: _m, ...shared } = options;
  return runPlan(context, [path.resolve(needPlace(context).root, written)], shared);
}
