// What changed configuration and old tests are worth: puts the base's back.
import { isRunnableTest, isTestHelper } from '../check/classes.ts';
import type { Variant } from '../git/tree/vary.ts';
import { type Change, type FileChange, isEvidence, join, withoutChange } from './change.ts';
import { hunksOf, takeBack } from './hunks.ts';
import type { CountedCheck } from './judge-counts.ts';
import { isLoadError, type Lab } from './lab.ts';
import { putBackText } from './put-back.ts';
import type { Experiments } from './task-proof.ts';

/** Configuration without whose change the checks are red; new files are removed. */
export async function tryConfigs(change: Change, lab: Lab): Promise<Experiments['configs']> {
  const configs = change.filter(({ kind }) => kind === 'config');
  const found = await findCulprits(configs, lab, putBackConfig);
  return found.map(({ file, from }) => from ?? file);
}

/** The same of old tests, fixtures and helpers, by lines where one hunk decides; and what is new and bends them. */
export async function tryOldTests(change: Change, lab: Lab): Promise<Experiments['redefined']> {
  const old = change.filter(({ before, kind }) => before !== undefined && isEvidence(kind));
  const spots: Experiments['redefined'] = [];
  for (const culprit of await findCulprits(old, lab, withoutChange)) {
    const { file } = culprit;
    // New tests may need more of a helper: without it they do not load.
    if (isTestHelper(file) && isLoadError(await lab.run(`with ${file} as before`, withoutChange(culprit))))
      continue;
    spots.push(...(await findSpots(culprit, lab)));
  }
  return spots.length > 0 ? spots : findBending(change, old, lab.by('each'));
}

/** New tests, helpers, and code where only tests were, without which old tests fail: they changed what these see. */
async function findBending(
  change: Change,
  old: readonly FileChange[],
  lab: Lab,
): Promise<Experiments['redefined']> {
  const added = change.filter(
    ({ file, before, isBesideTests }) =>
      before === undefined && (isRunnableTest(file) || isTestHelper(file) || isBesideTests),
  );
  if (added.length === 0) return [];
  const as = (files: readonly FileChange[]): Variant => join(...[...old, ...files].map(withoutChange));
  const end = await lab.run('with the tests as before', as(added));
  // A check that names a new test finds none.
  const mayLack = added.some(({ file }) => isRunnableTest(file));
  const fails = ({ result, tests }: CountedCheck): boolean =>
    result !== 'green' && (tests ? tests.failed > 0 : !mayLack);
  if (end.result === 'green' || isLoadError(end) || !(end.checks?.some(fails) ?? !mayLack)) return [];
  const bending: FileChange[] = [];
  for (const one of added.length > 1 ? added.slice(0, mostHunks) : []) {
    const others = as(added.filter((other) => other !== one));
    if (!(await lab.isRed(`with the tests as before, and ${one.file}`, others))) bending.push(one);
  }
  return (bending.length > 0 ? bending : added).map(({ file }) => ({ file, ...spotOf(1, 1) }));
}

/** Tried all at once, then each alone; all, where none decides alone. No tree is tried twice. */
export async function findCulprits<F extends Readonly<{ file: string }>>(
  files: readonly F[],
  lab: Lab,
  putBack: (file: F) => Variant,
): Promise<readonly F[]> {
  if (files.length === 0) return [];
  const names = files.length > 3 ? `${files.length} files` : files.map(({ file }) => file).join(', ');
  if (!(await lab.isRed(`with ${names} as before`, join(...files.map(putBack))))) return [];
  if (files.length === 1) return files;
  const culprits: F[] = [];
  for (const file of files)
    if (await lab.isRed(`with ${file.file} as before`, putBack(file))) culprits.push(file);
  // Files that go together, as data and what is expected of it, are red alone and green together.
  for (const one of culprits.length > 1 ? culprits : []) {
    const others = join(...culprits.filter((other) => other !== one).map(putBack));
    if (!(await lab.isRed(`with all of these but ${one.file} as before`, others))) return [one];
  }
  return culprits.length > 0 ? culprits : files;
}

const mostHunks = 8;

async function findSpots(change: FileChange, lab: Lab): Promise<Experiments['redefined']> {
  const { file } = change;
  // A hunk that only adds cannot have bent anything.
  const hunks = hunksOf(change).filter(({ removed }) => removed.length > 0);
  if (hunks.length > 1 && hunks.length <= mostHunks) {
    const spots: Experiments['redefined'] = [];
    for (const hunk of hunks) {
      const spot = spotOf(hunk.from, hunk.added.length);
      if (await lab.isRed(`with ${file}:${spot.from} as before`, takeBack([hunk])))
        spots.push({ file, ...spot });
    }
    if (spots.length > 0) return spots;
  }
  const [first] = hunks;
  return [{ file, ...(first ? spotOf(first.from, first.added.length) : spotOf(1, 1)) }];
}

export const spotOf = (from: number, count: number): Readonly<{ from: number; to: number }> => ({
  from,
  to: from + Math.max(count, 1) - 1,
});

function putBackConfig(change: FileChange): Variant {
  const { file, before, after } = change;
  if (before?.text === undefined || after?.text === undefined) return withoutChange(change);
  const text = putBackText(file, before.text, after.text);
  if (text === before.text || change.from !== undefined) return withoutChange(change);
  return new Map([[file, { mode: before.mode, text }]]);
}
