// What a person's word for a plan or a run means. Loads no schemas: `pawl status --line` asks it, too.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { listNamedRuns } from '../journal/run-files.ts';
import { orElse } from '../or-else.ts';
import { archiveFolder, stemOf, wholeNames } from '../plan/plan-name.ts';
import { listPlans, type Place, realOf } from './locate.ts';

/** What there is to name. `cwd`: real. `plans`: absolute paths of those in docs/plans/. `runs`: the newest first. */
export type Names = Readonly<ReturnType<typeof namesIn>>;

export function namesIn({ cwd }: Readonly<{ cwd: string }>, { root, commonDir }: Place) {
  return { cwd: realOf(cwd), root, plans: listPlans(root), runs: listNamedRuns(commonDir) };
}

/** A plan's absolute path; by an id, also the run. */
type Meaning = Readonly<{ file: string; run?: string }>;

function findMeanings({ cwd, root, plans, runs }: Names, word: string): readonly Meaning[] {
  // A path names a file; only a bare word may be part of a name, no single symbol.
  const stem = !word.includes('/') && /[\p{L}\p{N}]/u.test(word) ? stemOf(word) : undefined;
  const known = runs.map(({ run, plan, isAside }) => ({ run, isAside, file: path.resolve(root, plan) }));
  // Also plans of runs that are not there any more. A run knows a linked plan by the link's target.
  const everywhere = () => {
    const linked = new Set(plans.map(realOf));
    const past = known.filter(({ isAside, file }) => !isAside && !linked.has(file));
    return [...new Set([...plans, ...past.map(({ file }) => file)])];
  };
  const isPart = (file: string) => stem !== undefined && stemOf(file).includes(stem);
  const isName = (file: string) => stem !== undefined && wholeNames(file).includes(stem);
  const isKnown = (file: string) => isFile(file) || known.some((each) => each.file === file);
  // The first that finds something counts; where it finds several, the word is ambiguous. From here, then from the root.
  const readings: readonly (() => readonly (Meaning | string)[])[] = [
    () => [path.resolve(cwd, word), path.join(root, word)].filter(isKnown).slice(0, 1),
    () => known.filter(({ run }) => run === word),
    () => everywhere().filter(isName),
    () => plans.filter(isPart),
    () => everywhere().filter(isPart),
    () => known.filter(({ run }) => word !== '' && run.startsWith(word)),
  ];
  for (const read of readings) {
    const found = read();
    if (found.length > 0) return found.map((one) => (typeof one === 'string' ? { file: one } : one));
  }
  return [];
}

/** Absolute paths, several of an ambiguous word. Those of a run on no plan, such as a review, are none. */
export function resolvePlans(names: Names, word: string): readonly string[] {
  const onPlans = { ...names, runs: names.runs.filter(({ isAside }) => !isAside) };
  return [...new Set(findMeanings(onPlans, word).map(({ file }) => file))];
}

/** Ids of the run, or of the plan's runs, the newest first. Throws Failure('usage') for an ambiguous word. */
export function resolveRuns(names: Names, word: string): readonly string[] {
  const found = findMeanings(names, word);
  const [one = { file: path.resolve(names.cwd, word) }, second] = found;
  if (second) throw ambiguous(names, word, found);
  if (one.run !== undefined) return [one.run];
  const file = realOf(one.file);
  const folder = path.dirname(file);
  const ways: readonly ((plan: string) => boolean)[] = [
    (plan) => plan === file,
    // An archived plan is not where its run began.
    (plan) =>
      path.basename(folder) === archiveFolder && plan === path.join(folder, '..', path.basename(file)),
    // Any folder may ask for what is not there; a plan that is has runs of its own alone.
    (plan) => !isFile(file) && path.basename(plan) === path.basename(file),
  ];
  for (const isMeant of ways) {
    const runs = names.runs.filter(({ plan }) => isMeant(path.resolve(names.root, plan)));
    if (runs.length > 0) return runs.map(({ run }) => run);
  }
  return [];
}

function ambiguous({ cwd }: Pick<Names, 'cwd'>, word: string, found: readonly Meaning[]): Failure {
  const each = found.map(({ run, file }) => run ?? path.relative(cwd, file));
  return severalMeant(word, found.some(({ run }) => run !== undefined) ? 'runs' : 'plans', each);
}

/** `kind`: what there are several of. */
export function severalMeant(word: string, kind: string, each: readonly string[]): Failure {
  return new Failure('usage', `${word} may be ${each.length} ${kind}`, { hint: each.join('\n') });
}

function isFile(file: string): boolean {
  return orElse(() => statSync(file).isFile(), false);
}

/** Of runs elsewhere. */
export function runsNamed<Run extends Readonly<{ run: string; plan: string }>>(
  names: Pick<Names, 'cwd' | 'root' | 'plans'>,
  runs: readonly Run[],
  word: string,
): readonly Run[] {
  const known = runs.map(({ run, plan }) => ({ run, plan, isAside: false }));
  const meant = new Set(resolveRuns({ ...names, runs: known }, word));
  return runs.filter(({ run }) => meant.has(run));
}

/** After “there is”. */
export function noRun(word: string | undefined, where = 'in this repository'): string {
  return word === undefined ? `no run ${where} yet` : `no run ${where} that “${word}” names`;
}

/** Where none is named. */
export function noPlan(command: string): Failure {
  return new Failure('usage', 'no plan was given, and there is none in docs/plans/', {
    hint: `${command} path/to/plan.md; \`pawl init\` writes a first one`,
  });
}
