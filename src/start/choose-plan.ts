// Which plan a command means if none is named: that of the last run if unfinished, otherwise the only one.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { listRuns } from '../journal/folder.ts';
import { isFinished } from '../journal/state.ts';
import { isAside } from '../phase/open/find-unfinished.ts';
import { readPlanFile } from '../plan/file.ts';
import { parsePlan } from '../plan/parse.ts';
import { isClosed } from '../plan/plan.ts';
import { shellWord } from '../shell-word.ts';
import type { CliContext } from './context.ts';
import { findLastWorked, readRun } from './find-run.ts';
import { findPlace, listPlans, type Place } from './locate.ts';

/** If ambiguous, throws a Failure that lists the candidates. */
export function choosePlan(context: CliContext, place: Place | undefined): string {
  const plans = findCandidates(context, place);
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return only;
  if (plans.length === 0)
    throw new Failure('usage', 'no plan was given, and there is none in docs/plans/', {
      hint: 'pawl run path/to/plan.md; `pawl init` writes a first one',
    });
  throw new Failure('usage', 'there are several plans, and none was named', {
    hint: plans.map((file) => `pawl run ${shellWord(fromHere(context, file))}`).join('\n'),
  });
}

/** Asks which plan is meant; undefined if it is clear, or nobody can be asked. */
export async function askForPlan(context: CliContext): Promise<string | undefined> {
  const plans = context.canAsk ? findCandidates(context, findPlace(context.cwd)) : [];
  if (plans.length < 2) return undefined;
  return pickPlan(
    context,
    plans.map((file) => fromHere(context, file)),
  );
}

function findCandidates(context: CliContext, place: Place | undefined): readonly string[] {
  const root = place?.root ?? context.cwd;
  const runs = place ? listRuns(place.commonDir).filter(({ started }) => !isAside(started)) : [];
  const last = place && findLastWorked(place, runs);
  return last && !isFinished(readRun(last)) ? [path.resolve(root, last.started.plan)] : listPlans(root);
}

function fromHere({ cwd }: CliContext, file: string): string {
  return path.relative(realpathSync(cwd), file);
}

export async function pickPlan(
  { cwd, stdin, stderr, signal }: CliContext,
  plans: readonly string[],
): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const options = plans.map((value) => ({ value, label: value, hint: describe(path.resolve(cwd, value)) }));
  const picked = await select({ message: 'Which plan?', options, input: stdin, output: stderr, signal });
  return isCancel(picked) ? undefined : picked;
}

/** An unreadable plan can be picked: its command says what is wrong. */
function describe(file: string): string {
  try {
    const { title, tasks } = parsePlan(readPlanFile(file).text, file);
    const open = tasks.filter((task) => !isClosed(task)).length;
    return `${title}: ${open} of ${tasks.length} tasks open`;
  } catch (error) {
    if (error instanceof Failure) return 'missing or unreadable';
    throw error;
  }
}
