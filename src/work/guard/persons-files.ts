// A person's untracked and ignored files: if a session removed or changed one, it is restored from the rescue point of the
// task's start, as far as that contains it; ignored ones that it does not contain are named.
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

/** Brings them back and names them; what the task itself may change, and what belongs into commits, stays. */
export async function bringPersonsFilesBack(
  place: Place,
  work: Work,
  whose: Readonly<{ task: string; session?: number }>,
): Promise<void> {
  const { repo, run, index } = place;
  const { commit, rescue } = run.config;
  const isLeft = (file: string): boolean => matchesAny(file, [...commit.include, ...work.task.files]);
  const changed = changedUserFiles(repo, index);
  const held = (await heldFiles(repo, work.start.rescue)).filter(({ file }) => !isLeft(file));
  const isOthers = (file: string): boolean => changed.has(file) || matchesAny(file, rescue.include);
  const inexact = await findInexact(
    repo,
    held.filter(({ file }) => isOthers(file)),
  );
  const away = inexact.map(({ file }) => file);
  if (away.length === 0) return;
  const own = new Set(run.state().started.untracked);
  const isFile = (file: string): boolean => statAt(repo.root, rawOf(file))?.isFile() ?? false;
  // Where something else stands in its place, that is the attempt's to answer for.
  const other = away.filter((file) => changed.get(file) === 'changed' && isFile(file));
  // What is committed is the work's to remove.
  const gone = new Set((await repo.git(['ls-files', '-z', '--deleted'])).split('\0'));
  const missing = away.filter((file) => changed.get(file) !== 'changed' && !gone.has(file));
  // An ignored file may be changed by a person at any time: that it is gone is another matter.
  const edited = inexact.filter(({ file }) => !changed.has(file) && isFile(file));
  await nameEdited(place, work, { edited, whose });
  const kept =
    other.length > 0
      ? await saveRescuePoint(place, `what a session made of ${fewOf(other)}`)
      : work.start.rescue;
  await writeExact(
    repo,
    held.filter(({ file }) => other.includes(file)),
  );
  const written = await writeMissing(repo, held, new Set(missing));
  const back = [...other, ...written];
  if (back.length === 0) return;
  restampUserFiles(
    repo,
    index,
    back.filter((file) => own.has(file)),
  );
  run.emit({
    type: 'act-found',
    ...whose,
    act: 'changed-user-file',
    detail: fewOf(back),
    response: 'put-back',
    kept,
  });
}

/** Names ignored files that are held and hold something else by now, with what brings each back, once. */
async function nameEdited(
  place: Place,
  { task }: Pick<Work, 'task'>,
  { edited, whose }: Readonly<{ edited: readonly ExactFile[]; whose: Readonly<{ session?: number }> }>,
): Promise<void> {
  const unnamed = edited.filter(({ file }) => !namesFile(wordsOf(task), file));
  if (unnamed.length === 0) return;
  const raws = unnamed.map(({ file }) => `:(top,literal)${file}`);
  const tracked = new Set((await place.repo.git(['ls-files', '-z', '--', ...raws])).split('\0'));
  const violations = unnamed
    .filter(({ file }) => !tracked.has(file))
    .map(({ file, oid }): Violation => {
      const back = `git cat-file blob ${oid.slice(0, 12)} > ${shellWord(file)}`;
      return {
        act: 'changed-user-file',
        detail: `${file}; ignored by git; ${back} brings back what it was`,
        response: 'reported',
      };
    });
  emitViolations(place, { past: stateOf(place, task).violations, whose, violations });
}

/** Names ignored files that were there when the run began, are gone, and are in no rescue point, each once. `mayGo`: globs of what may be gone. */
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
      detail: `${fewOf(lost)}; ignored by git, and pawl has no copy: name in rescue.include what it is to keep`,
      response: 'reported',
    });
  acceptIgnored(repo, index);
  return lost;
}
