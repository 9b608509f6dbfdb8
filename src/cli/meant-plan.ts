// Finds the plan or run a word means: a path, part of a name in docs/plans/ or of a run, or the beginning of a run's
// id. Compares names only.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { listRuns } from '../journal/folder.ts';
import { isAside } from '../phase/open/find-unfinished.ts';
import { nearestPlan, stemOf, wholeNames } from '../plan/plan-name.ts';
import { pickPlan } from '../start/choose-plan.ts';
import type { CliContext } from '../start/context.ts';
import { realOf } from '../start/find-plan.ts';
import { findPlace, listPlans, type Place } from '../start/locate.ts';
import type { CommandSpec } from './command.ts';

type Words = Readonly<{ args: readonly string[]; options: Readonly<Record<string, unknown>> }>;

/** A path replaces each word for a plan; a run's id stays. */
export async function namePlans(context: CliContext, spec: CommandSpec, words: Words): Promise<Words> {
  const { args, options } = words;
  const isPlan = (at: number) => {
    const { name } = spec.args[Math.min(at, spec.args.length - 1)] ?? { name: '' };
    return /^[[<]plan(?:\.\.\.)?[\]>]$/.test(name);
  };
  const named: string[] = [];
  for (const [at, word] of args.entries()) named.push(isPlan(at) ? await namePlan(context, word) : word);
  if (typeof options['plan'] !== 'string') return { args: named, options };
  return { args: named, options: { ...options, plan: await namePlan(context, options['plan']) } };
}

/** Among equal matches asks the person, or throws a Failure that lists them. */
async function namePlan(context: CliContext, word: string): Promise<string> {
  const place = findPlace(context.cwd);
  if (!place || existsSync(path.resolve(context.cwd, word))) return word;
  const found = findMeant(context.cwd, place, word);
  const [only] = found;
  const isRun = listRuns(place.commonDir).some(({ run }) => run.startsWith(word));
  if (only === undefined && !isRun) refuseMistyped(context.cwd, place, word);
  if (found.length < 2) return only ?? word;
  const picked = context.canAsk ? await pickPlan(context, found) : undefined;
  if (picked !== undefined) return picked;
  throw new Failure('usage', `${word} may be ${found.length} plans`, { hint: found.join('\n') });
}

/** Suggests the plan probably meant, without using it. */
function refuseMistyped(cwd: string, place: Place, word: string): void {
  const meant = word.includes('/') ? findMeant(cwd, place, path.basename(word)) : findNear(cwd, place, word);
  if (meant.length === 0) return;
  throw new Failure('plan', `there is no plan ${word}`, {
    hint: `Did you mean ${meant.slice(0, 5).join(', or ')}?`,
  });
}

function findNear(cwd: string, { root, commonDir }: Place, word: string): readonly string[] {
  const runs = listRuns(commonDir);
  // A review has a name that is no plan's.
  if (runs.some(({ started }) => path.basename(started.plan) === word)) return [];
  const past = runs.filter(({ started }) => !isAside(started));
  const near = nearestPlan(word, [
    ...listPlans(root),
    ...past.map(({ started }) => path.resolve(root, started.plan)),
  ]);
  return near === undefined ? [] : [path.relative(realpathSync(cwd), near)];
}

/** From the current folder; empty: take the word as it is. */
function findMeant(cwd: string, { root, commonDir }: Place, word: string): readonly string[] {
  const here = realpathSync(cwd);
  const show = (file: string) => path.relative(here, file);
  if (existsSync(path.join(root, word))) return [show(path.join(root, word))];
  const ofRuns = listRuns(commonDir).filter(({ started }) => !isAside(started));
  const past = ofRuns.map(({ started }) => path.resolve(root, started.plan));
  const exact = [path.resolve(here, word), path.join(root, word)].find((file) => past.includes(file));
  if (exact !== undefined) return [show(exact)];
  // A path names a file; only a bare word may be part of a name, and not a single symbol.
  if (word.includes('/') || !/[\p{L}\p{N}]/u.test(word)) return [];
  const there = listPlans(root);
  // A run knows a linked plan by the link's target.
  const linked = new Set(there.map(realOf));
  const all = [...there, ...past.filter((file) => !linked.has(file))].filter(isFirst);
  const wanted = stemOf(word);
  const isWhole = (file: string) => wholeNames(file).includes(wanted);
  const isPart = (file: string) => stemOf(file).includes(wanted);
  const whole = all.filter(isWhole);
  const found = whole.length > 0 ? whole : there.filter(isPart);
  return (found.length > 0 ? found : past.filter(isPart)).filter(isFirst).map(show);
}

function isFirst<T>(value: T, at: number, all: readonly T[]): boolean {
  return all.indexOf(value) === at;
}
