// Whether changed tests decide anything.
import { classify, isRunnableTest } from '../check/classes.ts';
import { type Change, classOf, type FileChange, join, withoutChange, withText } from './change.ts';
import { hollowOf } from './hollow.ts';
import { isLoadError, type Lab } from './lab.ts';
import { commentMark } from './same-code.ts';
import type { Experiments } from './task-proof.ts';

/** So many are tried by themselves. */
const mostTests = 8;

const garbage = '}{ this is not code @@@ (\n';

export function testsOf(change: Change): readonly FileChange[] {
  return change.files.filter(({ file, after }) => after !== undefined && isRunnableTest(file));
}

/** Those that a runner starts, else data and helpers. */
function evidenceOf(change: Change): readonly FileChange[] {
  const tests = testsOf(change);
  if (tests.length > 0) return tests;
  return change.files.filter(
    (file) => file.after !== undefined && ['test', 'support'].includes(classOf(change, file)),
  );
}

export function sourcesOf(change: Change): readonly FileChange[] {
  return change.files.filter((file) => ['source', 'types', 'built'].includes(classOf(change, file)));
}

/** Changed tests whose content does not matter. */
export async function tryGarbage(change: Change, lab: Lab): Promise<Experiments['deaf']> {
  const deaf: string[] = [];
  for (const test of testsOf(change).slice(0, mostTests))
    if (!(await lab.isRed(`with garbage as ${test.file}`, withText(test, garbage)))) deaf.push(test.file);
  return deaf;
}

/** A test may pin a source's text rather than what it does. Linters ask comments to be sentences. */
export async function tryComment(change: Change, lab: Lab): Promise<boolean> {
  const commented = sourcesOf(change).flatMap((source) => {
    const [mark, text] = [commentMark(source.file), source.after?.text];
    const isSource = classOf(change, { file: source.file, ranges: [] }) === 'source';
    if (mark === undefined || text === undefined || !isSource) return [];
    return withText(source, `${text.replace(/\n?$/, '\n')}${mark}Placebo.\n`);
  });
  return commented.length > 0 && lab.isRed('with a comment more in each source', join(...commented));
}

/** The change's tests on the base; each by itself where there are several. */
export async function tryWithoutWork(
  change: Change,
  lab: Lab,
  { turnedGreen = false }: Readonly<{ turnedGreen?: boolean }>,
): Promise<Pick<Experiments, 'withoutWork' | 'indifferent'>> {
  const tests = evidenceOf(change);
  const alone = testsOf(change);
  const work = turnedGreen ? allButTests(change) : sourcesOf(change);
  if (turnedGreen && isOfNewTests(change)) return { ...notTried, withoutWork: 'tests-alone' };
  if (work.length === 0 || (!turnedGreen && tests.length === 0)) return notTried;
  const without = join(...work.map(withoutChange));
  const end = await lab.run('without the work', without);
  // What was installed stays, and may be what a check of its own asks for.
  if (end.result === 'green' && alone.length === 0 && change.files.some(mayInstall)) return notTried;
  if (end.result === 'green') return { withoutWork: 'green', indifferent: tests.map(({ file }) => file) };
  const hollow = isLoadError(end) ? hollowOf(sourcesOf(change)) : undefined;
  if (hollow && !(await lab.isRed('with each new function failing', hollow)))
    return { withoutWork: 'load-only', indifferent: [] };
  const indifferent: string[] = [];
  for (const test of alone.length > 1 ? alone.slice(0, mostTests) : []) {
    const others = alone.filter((other) => other !== test).map(withoutChange);
    if (!(await lab.isRed(`${test.file} without the work`, join(without, ...others))))
      indifferent.push(test.file);
  }
  return { withoutWork: 'red', indifferent };
}

const notTried: Pick<Experiments, 'withoutWork' | 'indifferent'> = {
  withoutWork: 'not-tried',
  indifferent: [],
};

/** Its check asked for them, and what they say no run can judge. */
function isOfNewTests(change: Change): boolean {
  const isNew = (file: FileChange): boolean =>
    file.before === undefined && ['test', 'support'].includes(classOf(change, file));
  return testsOf(change).length > 0 && change.files.every(isNew);
}

/** A check of its own may ask for any of them. */
function allButTests(change: Change): readonly FileChange[] {
  return change.files.filter((file) => !['test', 'support', 'lock'].includes(classOf(change, file)));
}

const mayInstall = ({ file }: FileChange): boolean =>
  ['lock', 'deps'].includes(classify(file)) ||
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg))$/.test(file);
