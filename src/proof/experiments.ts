// The experiments over a change: cheap and hard ones first, single hunks last.
import { classify, isCode, isRunnableTest } from '../check/classes.ts';
import { type Change, type FileChange, isEvidence, join, withoutChange, withText } from './change.ts';
import { hollowOf } from './hollow.ts';
import { CutShort, isLoadError, type Lab, openLab, type Trials } from './lab.ts';
import { commentMark } from './same-code.ts';
import type { Experiments } from './task-proof.ts';
import { tryConfigs, tryOldTests } from './try-definitions.ts';
import { isOnlyRead, tryHunks } from './try-hunks.ts';

export type ExperimentOptions = Readonly<{
  /** A check of its own was red before: perhaps not by this work. Asked once the work is green. */
  turnedGreen?: () => boolean | Promise<boolean>;
  isRefactoring?: boolean;
  isQuick?: boolean | undefined;
}>;

const [times, tenMinutes, fiveMinutes] = [8, 10 * 60_000, 5 * 60_000];

/** If the checks are red on the work itself, nothing else runs. */
export async function experiment(
  change: Change,
  trials: Trials,
  options: ExperimentOptions = {},
): Promise<Experiments> {
  const lab = openLab(trials);
  const found: Experiments = { ...nothing };
  try {
    await experimentIn(lab, { change, found }, options);
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
    found.stopped = 'interrupted';
  }
  return { ...(found.clean === 'flaky' ? { ...nothing, clean: 'flaky' } : found), ...lab.account() };
}

/** `found`: what is known so far. */
type Task = Readonly<{ change: Change; found: Experiments; turnedGreen: boolean; isRefactoring?: boolean }>;

async function experimentIn(
  lab: Lab,
  { change, found }: Pick<Task, 'change' | 'found'>,
  options: ExperimentOptions,
): Promise<void> {
  const first = await lab.run('the work in a clean ground', new Map());
  found.clean = first.result === 'green' ? 'green' : 'red';
  if (first.result !== 'green') return;
  lab.limitBy(first.durationMs);
  const turnedGreen = (await options.turnedGreen?.()) ?? false;
  found.configs = await tryConfigs(change, lab);
  if (!options.isQuick) await tryTests(lab, { ...options, change, found, turnedGreen }, first.durationMs);
  const { runs } = lab.account();
  // Red before and red without it: no flake.
  if (runs === 1 || (runs === 2 && turnedGreen)) return;
  const last = await lab.again('the work in a clean ground, once more');
  if (last.result !== 'green') found.clean = 'flaky';
}

async function tryTests(lab: Lab, task: Task, checksMs: number): Promise<void> {
  const { change, found, turnedGreen, isRefactoring } = task;
  found.redefined = await tryOldTests(change, lab);
  const tests = lab.by('tests');
  const hasTests = testsOf(change).length > 0;
  if (hasTests) {
    found.deaf = await tryGarbage(change, tests);
    found.pinsText = await tryComment(change, tests);
  }
  if (!isRefactoring) {
    const { withoutWork } = Object.assign(found, await tryWithoutWork(tests, task));
    // Where nothing misses all of it, nothing misses a part.
    if (withoutWork !== 'red' && !(turnedGreen && withoutWork === 'not-tried')) return;
  }
  if (change.every(({ kind }) => kind !== 'source')) return;
  if (checksMs > fiveMinutes) {
    found.stopped = 'the checks take over five minutes: no hunks tried';
    return;
  }
  lab.allow(Math.min(times * checksMs, tenMinutes));
  found.hunks = await tryHunks(change, tests);
  const { lines, provenLines, untried } = found.hunks;
  if (untried > 0) found.stopped = `stopped at ${times} × the checks`;
  const isUnproven = lines > 0 && provenLines === 0 && untried === 0;
  if (isUnproven && hasTests && (await isOnlyRead(change, tests))) found.withoutWork = 'load-only';
}

const nothing: Experiments = {
  clean: 'not-tried',
  configs: [],
  redefined: [],
  deaf: [],
  pinsText: false,
  withoutWork: 'not-tried',
  indifferent: [],
  hunks: { lines: 0, provenLines: 0, unproven: [], onlyRemoving: 0, withoutCode: 0, untried: 0 },
  runs: 0,
  durationMs: 0,
};

/** So many are tried by themselves. */
const mostTests = 8;

const garbage = '}{ this is not code @@@ (\n';

const testsOf = (change: Change): readonly FileChange[] =>
  change.filter(({ file, after }) => after !== undefined && isRunnableTest(file));

/** Those that a runner starts, else data and helpers. */
function evidenceOf(change: Change): readonly FileChange[] {
  const tests = testsOf(change);
  return tests.length > 0 ? tests : change.filter(({ after, kind }) => after && isEvidence(kind));
}

const sourcesOf = (change: Change): readonly FileChange[] =>
  change.filter(({ kind }) => ['source', 'types', 'built'].includes(kind));

/** Changed tests whose content does not matter. */
async function tryGarbage(change: Change, lab: Lab): Promise<Experiments['deaf']> {
  const deaf: string[] = [];
  for (const test of testsOf(change).slice(0, mostTests))
    if (!(await lab.isRed(`with garbage as ${test.file}`, withText(test, garbage)))) deaf.push(test.file);
  return deaf;
}

/** A test may pin a source's text rather than what it does. Linters ask comments to be sentences. */
async function tryComment(change: Change, lab: Lab): Promise<boolean> {
  const commented = sourcesOf(change).flatMap((source) => {
    const [mark, text] = [commentMark(source.file), source.after?.text];
    if (mark === undefined || text === undefined || classify(source.file) !== 'source') return [];
    return withText(source, `${text.replace(/\n?$/, '\n')}${mark}Placebo.\n`);
  });
  return commented.length > 0 && lab.isRed('with a comment more in each source', join(...commented));
}

/** The change's tests on the base; each by itself where there are several. Nothing if that says nothing. */
async function tryWithoutWork(
  lab: Lab,
  { change, found, turnedGreen }: Task,
): Promise<Partial<Pick<Experiments, 'withoutWork' | 'indifferent'>>> {
  const tests = evidenceOf(change);
  const alone = testsOf(change);
  const work = turnedGreen ? allButTests(change) : sourcesOf(change);
  // Its check asked for them, and what they say no run can judge; old ones that decide are in `redefined`.
  const isOfTests = tests.some(({ kind, file }) => kind === 'test' && isCode(file));
  if (turnedGreen && work.length === 0 && isOfTests && found.redefined.length === 0)
    return { withoutWork: 'tests-alone' };
  if (work.length === 0 || (!turnedGreen && tests.length === 0)) return {};
  const without = join(...work.map(withoutChange));
  const end = await lab.run('without the work', without);
  // What was installed stays, and may be what a check of its own asks for.
  if (end.result === 'green' && alone.length === 0 && change.some(mayInstall)) return {};
  if (end.result === 'green') return { withoutWork: 'green', indifferent: tests.map(({ file }) => file) };
  const hollow = isLoadError(end)
    ? hollowOf(sourcesOf(change), alone.map(({ after }) => after?.text ?? '').join('\n'))
    : undefined;
  if (hollow && !(await lab.isRed('with each new function failing', hollow)))
    return { withoutWork: 'load-only' };
  const indifferent: string[] = [];
  for (const test of alone.length > 1 ? alone.slice(0, mostTests) : []) {
    const others = alone.filter((other) => other !== test).map(withoutChange);
    if (!(await lab.isRed(`${test.file} without the work`, join(without, ...others))))
      indifferent.push(test.file);
  }
  return { withoutWork: 'red', indifferent };
}

/** A check of its own may ask for any of them. */
const allButTests = (change: Change): readonly FileChange[] =>
  change.filter(({ kind }) => !isEvidence(kind) && kind !== 'lock');

const mayInstall = ({ file }: FileChange): boolean =>
  ['lock', 'deps'].includes(classify(file)) ||
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg))$/.test(file);
