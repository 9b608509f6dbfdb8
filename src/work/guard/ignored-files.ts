// Reports, each once, files that a session wrote and git ignores: no commit will contain them.
import path from 'node:path';
import { foldersOf } from '../../git/run/names.ts';
import { changeTimeOf, findHidden } from '../../git/tree/hidden.ts';
import { findIgnoredFiles, type IgnoredFile } from '../../git/tree/ignored.ts';
import type { Look } from '../../git/tree/look.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { count } from '../count.ts';
import { stateOf, type Work } from '../work.ts';
import { findEdited } from './user-files.ts';

/** Beyond this many per session, files are counted instead of named. */
const mostTold = 20;

/**
 * The written files that git now ignores, kept ignored files that have changed, and files that only a new rule hides; never
 * the plan.
 */
export async function noteHidden(
  place: Place,
  work: Work,
  { look, written }: Readonly<{ look: Look; written: readonly string[] }>,
): Promise<readonly IgnoredFile[]> {
  const hidden = await findHiddenWork(place, work, look);
  const edited = await findEdited(place, work);
  const known = [...new Set([...hidden, ...written, ...edited])].filter((file) => file !== place.plan.file);
  const found = (await findIgnoredFiles(place.repo, known)).map((one) =>
    hidden.has(one.file) ? { ...one, isWork: true } : one,
  );
  const { refused } = stateOf(place, work.task);
  const told = new Set(refused.flatMap(({ why, file }) => (why === 'ignored' ? file : [])));
  for (const { file, rule } of found.slice(0, mostTold)) {
    if (told.has(file)) continue;
    place.run.emit({ type: 'file-refused', task: work.task.id, file, why: 'ignored', detail: `by ${rule}` });
  }
  return found;
}

/** Files written since the work began that the ignore rules at the run's start would not have hidden. */
async function findHiddenWork(place: Place, work: Work, look: Look): Promise<ReadonlySet<string>> {
  const { repo, run } = place;
  const { started, leftOut } = run.state();
  const others = new Set([...started.untracked, ...leftOut, place.plan.name]);
  const isOthers = (file: string): boolean =>
    others.has(file) || foldersOf(file).some((folder) => others.has(`${folder}/`));
  const { files } = await findHidden(repo, path.join(run.folder, inRun.rules), look);
  const since = Date.parse(stateOf(place, work.task).start?.at ?? '');
  return new Set(files.filter((file) => !isOthers(file) && (changeTimeOf(repo, file) ?? 0) >= since));
}

/** Why closing proves nothing with these files: a check saw what the commit lacks. */
export function formatHiddenWork(found: readonly IgnoredFile[]): readonly string[] {
  const [first, ...more] = found.filter(({ isWork }) => isWork);
  if (!first) return [];
  const others = more.length === 0 ? '' : `, and so is ${count(more.length, 'other file')}`;
  return [
    `${first.file} is hidden by an ignore rule that is new since the run began (${first.rule})${others}`,
  ];
}

export function formatHidden(found: readonly IgnoredFile[]): readonly string[] {
  const lines = found
    .slice(0, mostTold)
    .map(({ file, rule }) => `${file} is ignored by git (${rule}), so no commit will have it`);
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `so ${more === 1 ? 'is 1 more file' : `are ${more} more files`}`] : lines;
}
