// What is said instead of "there is no plan" where a plan is asked for that a finished run has archived: the same command
// again, after a kill just past the end, too. It starts nothing.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pickExit } from '../failure.ts';
import { inRun, listRuns, type RunFolder } from '../journal/folder.ts';
import type { RunState } from '../journal/state.ts';
import { isFinished, namePlan } from '../phase/find-run.ts';
import { type Line, labelled, line } from '../report/line.ts';
import { wordExit } from '../report/wording-run.ts';
import { type CliContext, print, printLines, say } from './context.ts';
import { realOf } from './find-plan.ts';
import { readRun } from './find-run.ts';
import { findPlace } from './place.ts';
import type { RunOptions } from './run-options.ts';

type Done = Readonly<{
  run: RunFolder;
  ended: NonNullable<RunState['ended']>;
  archived: NonNullable<RunState['archived']>;
}>;

/** Where every plan named is gone and done: says so, and returns the exit code its run ended with; otherwise undefined. */
export function tellDone(
  context: CliContext,
  plans: readonly string[],
  options: RunOptions,
): number | undefined {
  if (options.fresh) return undefined;
  const done = plans.flatMap((plan) => findDone(context, plan) ?? []);
  if (done.length === 0 || done.length < plans.length) return undefined;
  for (const each of done) {
    if (options.json) print(context, JSON.stringify(each.ended));
    else printLines(context, wordDone(each));
    if (options.pr) say(context, wordPull(each));
  }
  return pickExit(done.map(({ ended }) => ended.exit));
}

function findDone(context: CliContext, given: string): Done | undefined {
  const place = findPlace(context.cwd);
  const file = realOf(path.resolve(context.cwd, given));
  if (!place || existsSync(file)) return undefined;
  const name = namePlan(place.root, file);
  const run = listRuns(place.commonDir).find(({ started }) => started.plan === name);
  if (!run) return undefined;
  const state = readRun(run);
  const { ended, archived } = state;
  return isFinished(state) && ended && archived ? { run, ended, archived } : undefined;
}

function wordDone({ run: { folder, started }, ended, archived }: Done): readonly Line[] {
  const { exit, reasons } = ended;
  return [
    line('head', `${started.plan} is done: its run has finished, and nothing is left to run.`),
    labelled(exit === 0 ? 'good' : 'warn', 'end', `${wordExit(exit)} (exit ${exit})`),
    ...reasons.filter(({ text }) => text !== wordExit(exit)).map(({ text }) => labelled('plain', '', text)),
    labelled('plain', 'plan', archived.to),
    labelled('plain', 'branch', started.branch),
    labelled('plain', 'report', path.join(folder, inRun.report)),
    labelled('dim', 'next', `pawl report ${started.plan} shows it`),
  ];
}

function wordPull({ run: { started } }: Done): string {
  const { plan, branch } = started;
  return `No pull request is made: nothing was run. Should there be none: pawl report ${plan} | gh pr create --head ${branch} --fill --body-file -`;
}
