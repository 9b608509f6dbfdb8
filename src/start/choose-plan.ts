// Which plan a person means, by names only: a path, a part of its name, or without a word.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { listRuns } from '../journal/folder.ts';
import { isFinished } from '../journal/state.ts';
import { isAside } from '../phase/open/find-unfinished.ts';
import { stemOf, wholeNames } from '../plan/plan-name.ts';
import type { CliContext } from './context.ts';
import { realOf } from './find-plan.ts';
import { findLastWorked, readRun } from './find-run.ts';
import { findPlace, listPlans, type Place } from './locate.ts';

/** That of the last run if it is unfinished, else the only one. From the current folder. */
export async function choosePlan(context: CliContext): Promise<string> {
  const place = findPlace(context.cwd);
  const root = place?.root ?? context.cwd;
  const last = place && findLastWorked(place, runsOfPlans(place));
  const plans =
    last && !isFinished(readRun(last)) ? [path.resolve(root, last.started.plan)] : listPlans(root);
  if (plans.length === 0)
    throw new Failure('usage', 'no plan was given, and there is none in docs/plans/', {
      hint: 'pawl run path/to/plan.md; `pawl init` writes a first one',
    });
  return chooseOne(context, fromHere(context, plans), 'there are several plans, and none was named');
}

/** From the current folder, for a word that means a plan; any other word stays. */
export async function namePlan(context: CliContext, word: string): Promise<string> {
  const place = findPlace(context.cwd);
  if (!place || existsSync(path.resolve(context.cwd, word))) return word;
  const found = fromHere(context, findMeant(context.cwd, place, word));
  return found.length === 0 ? word : chooseOne(context, found, `${word} may be ${found.length} plans`);
}

async function chooseOne(context: CliContext, plans: readonly string[], says: string): Promise<string> {
  const [only, second] = plans;
  if (only !== undefined && second === undefined) return only;
  const { canAsk, stdin: input, stderr: output, signal } = context;
  if (canAsk) {
    const { isCancel, select } = await import('@clack/prompts');
    const options = plans.map((value) => ({ value, label: value }));
    const picked = await select({ message: 'Which plan?', options, input, output, signal });
    if (!isCancel(picked)) return picked;
  }
  throw new Failure('usage', says, { hint: plans.join('\n') });
}

/** Absolute; empty: take the word as it is. */
function findMeant(cwd: string, place: Place, word: string): readonly string[] {
  const { root } = place;
  const exact = [path.resolve(realpathSync(cwd), word), path.join(root, word)];
  const past = runsOfPlans(place).map(({ started }) => path.resolve(root, started.plan));
  const named = exact.find((file) => existsSync(file) || past.includes(file));
  if (named !== undefined) return [named];
  // A path names a file; only a bare word may be part of a name, no single symbol.
  if (word.includes('/') || !/[\p{L}\p{N}]/u.test(word)) return [];
  const there = listPlans(root);
  // A run knows a linked plan by the link's target.
  const linked = new Set(there.map(realOf));
  const all = [...new Set([...there, ...past.filter((file) => !linked.has(file))])];
  const wanted = stemOf(word);
  const isPart = (file: string) => stemOf(file).includes(wanted);
  const ways = [
    all.filter((file) => wholeNames(file).includes(wanted)),
    there.filter(isPart),
    all.filter(isPart),
  ];
  return ways.find(({ length }) => length > 0) ?? [];
}

function runsOfPlans({ commonDir }: Place) {
  return listRuns(commonDir).filter(({ started }) => !isAside(started));
}

function fromHere({ cwd }: CliContext, files: readonly string[]): readonly string[] {
  return files.map((file) => path.relative(realpathSync(cwd), file));
}
