// Restores a person's untracked and ignored files that a session removed or changed, from the rescue point of the task's
// start. Ignored files that it does not hold are only named.
import { namesFile } from '../../check/definition.ts';
import {
  type ExactFile,
  findInexact,
  heldFiles,
  writeExact,
  writeMissing,
} from '../../git/rescue/exact-files.ts';
import type { Violation } from '../../git/restore/violation.ts';
import { fewOf, rawOf } from '../../git/run/names.ts';
import { statAt } from '../../git/tree/entry.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import { acceptIgnored, goneIgnored } from '../../git/tree/ignored-names.ts';
import { changedUserFiles, restampUserFiles } from '../../git/tree/user-files.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import { shellWord } from '../../shell-word.ts';
import { saveRescuePoint } from '../rescue/rescue-point.ts';
import { stateOf, type Work } from '../work.ts';
import { emitViolations } from './violations.ts';

/** Restores and names them; leaves what the task may change and what belongs in commits. */
export async function bringPersonsFilesBack(
  place: Place,
  work: Work,
  whose: Readonly<{ task: string; session?: number }>,
): Promise<void> {
  const away = await findAway(place, work);
  if (away.length === 0) return;
  await nameEdited(place, work, { away, whose });
  const { repo, run, index } = place;
  const changed = away.filter(({ fate }) => fate === 'changed');
  const missing = new Set(namesOf(away, 'missing'));
  const { rescue } = work.start;
  const kept =
    changed.length === 0
      ? rescue
      : await saveRescuePoint(place, `what a session made of ${fewOf(namesOf(away, 'changed'))}`);
  await writeExact(repo, changed);
  const back = [...namesOf(away, 'changed'), ...(await writeMissing(repo, away, missing))];
  if (back.length === 0) return;
  const own = new Set(run.state().started.untracked);
  restampUserFiles(
    repo,
    index,
    back.filter((file) => own.has(file)),
  );
  const act = { act: 'changed-user-file', detail: fewOf(back), response: 'put-back', kept } as const;
  run.emit({ type: 'act-found', ...whose, ...act });
}

/**
 * A held file that is not as it was. `changed`: an untracked file with other content; `edited`: an ignored one, which a
 * person may change at any time.
 */
type Away = ExactFile & Readonly<{ fate: 'changed' | 'edited' | 'missing' }>;

function namesOf(away: readonly Away[], of: Away['fate']): readonly string[] {
  return away.flatMap(({ file, fate }) => (fate === of ? [file] : []));
}

async function findAway({ repo, run, index }: Place, work: Work): Promise<readonly Away[]> {
  const { commit, rescue } = run.config;
  const changed = changedUserFiles(repo, index);
  const isLeft = (file: string): boolean => matchesAny(file, [...commit.include, ...work.task.files]);
  const isOthers = (file: string): boolean => changed.has(file) || matchesAny(file, rescue.include);
  const held = await heldFiles(repo, work.start.rescue);
  const away = await findInexact(
    repo,
    held.filter(({ file }) => !isLeft(file) && isOthers(file)),
  );
  if (away.length === 0) return [];
  // What is committed is the work's to remove.
  const removed = new Set((await repo.git(['ls-files', '-z', '--deleted'])).split('\0'));
  const fateOf = (file: string): Away['fate'] | undefined => {
    const stands = statAt(repo.root, rawOf(file));
    // If something else is in its place, the attempt answers for it.
    if (changed.get(file) === 'changed') return stands?.isFile() ? 'changed' : undefined;
    if (stands) return 'edited';
    return removed.has(file) ? undefined : 'missing';
  };
  return away.flatMap((one) => {
    const fate = fateOf(one.file);
    return fate === undefined ? [] : [{ ...one, fate }];
  });
}

/** Held ignored files that have changed since the work began and that the task does not name. */
export async function findEdited(place: Place, work: Work): Promise<readonly string[]> {
  return (await withoutTracked(place, work, await findAway(place, work))).map(({ file }) => file);
}

async function withoutTracked(
  { repo }: Place,
  { task }: Pick<Work, 'task'>,
  away: readonly Away[],
): Promise<readonly ExactFile[]> {
  const words = wordsOf(task);
  const edited = away.filter(({ file, fate }) => fate === 'edited' && !namesFile(words, file));
  if (edited.length === 0) return [];
  const specs = edited.map(({ file }) => `:(top,literal)${file}`);
  const tracked = new Set((await repo.git(['ls-files', '-z', '--', ...specs])).split('\0'));
  return edited.filter(({ file }) => !tracked.has(file));
}

/** Names them, each once, with the command that restores it. */
async function nameEdited(
  place: Place,
  work: Work,
  { away, whose }: Readonly<{ away: readonly Away[]; whose: Readonly<{ session?: number }> }>,
): Promise<void> {
  const violations = (await withoutTracked(place, work, away)).map(({ file, oid }): Violation => {
    // Through a link it would be written elsewhere.
    const isFile = statAt(place.repo.root, rawOf(file))?.isFile() ?? true;
    const first = isFile ? '' : `rm -r ${shellWord(file)} && `;
    const back = `${first}git cat-file blob ${oid.slice(0, 12)} > ${shellWord(file)}`;
    const detail = `${file}; ignored by git; ${back} brings back what it was`;
    return { act: 'changed-user-file', detail, response: 'reported' };
  });
  emitViolations(place, { past: stateOf(place, work.task).violations, whose, violations });
}

/**
 * Names, each once, ignored files from the run's start that are gone and in no rescue point. `mayGo`: globs of files that
 * may be gone.
 */
export function nameLostFiles(
  { repo, run, index }: Place,
  whose: Readonly<{ task?: string; session?: number }>,
  mayGo: readonly string[] = [],
): readonly string[] {
  const lost = goneIgnored(repo, index).filter((file) => !matchesAny(file, mayGo));
  if (lost.length > 0)
    run.emit({
      type: 'act-found',
      ...whose,
      act: 'changed-user-file',
      detail: `${fewOf(lost)}; ignored by git, and pawl has no copy: list in rescue.include what it should keep`,
      response: 'reported',
    });
  acceptIgnored(repo, index);
  return lost;
}
