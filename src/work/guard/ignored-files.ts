// What no check can rightly read: session files that git ignores, and links out of the tree.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../../below.ts';
import { namesFile } from '../../check/names-file.ts';
import { changeTimeOf, readEntry } from '../../git/tree/entry.ts';
import { findIgnoredFiles, type IgnoredFile } from '../../git/tree/ignored.ts';
import type { ChangedFile } from '../../git/tree/raw-diff.ts';
import { matchesAny } from '../../glob.ts';
import { orElse } from '../../or-else.ts';
import { leftOutIn, type Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import { stateOf, type Work } from '../work.ts';
import { findEdited } from './user-files.ts';

/** Beyond this, per session, files are only counted. */
const mostTold = 20;

export async function noteHidden(
  place: Place,
  work: Work,
  written: readonly string[],
): Promise<readonly IgnoredFile[]> {
  const edited = await findEdited(place, work);
  const known = [...new Set([...written, ...edited])].filter((file) => file !== place.plan.file);
  const found = await findIgnoredFiles(place.repo, known);
  const { refused } = stateOf(place, work.task);
  const told = new Set(refused.flatMap(({ why, file }) => (why === 'ignored' ? file : [])));
  for (const { file, rule } of found.slice(0, mostTold)) {
    if (told.has(file)) continue;
    place.run.emit({ type: 'file-refused', task: work.task.id, file, why: 'ignored', detail: `by ${rule}` });
  }
  return found;
}

export function formatHidden(found: readonly IgnoredFile[]): readonly string[] {
  const lines = found
    .slice(0, mostTold)
    .map(({ file, rule }) => `${file} is ignored by git (${rule}), so no commit will have it`);
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `so ${more === 1 ? 'is 1 more file' : `are ${more} more files`}`] : lines;
}

/** What the session's tools wrote, or the task names and changed since it began; checks that it ran made the rest. */
export function takeMadeFiles(
  place: Place,
  { task }: Pick<Work, 'task'>,
  { session, written }: Readonly<{ session: number; written: readonly string[] }>,
): void {
  const { run, repo } = place;
  const since = Date.parse(run.state().sessions.get(session)?.started.at ?? '');
  const byTools = new Set(written.map((file) => path.relative(repo.root, path.resolve(repo.root, file))));
  const isNamed = (file: string): boolean => matchesAny(file, task.files) || namesFile(wordsOf(task), file);
  const isLate = (file: string): boolean => (changeTimeOf(repo, file) ?? 0) >= since;
  const files = leftOutIn(place).filter((file) => byTools.has(file) || (isNamed(file) && isLate(file)));
  if (files.length > 0) run.emit({ type: 'files-made', files: [...new Set(files)], by: 'session' });
}

/** One sentence per link whose target exists, except devices and what the task names. */
export function findOutsideLinks(
  { repo: { root } }: Readonly<{ repo: Pick<Place['repo'], 'root'> }>,
  { task }: Pick<Work, 'task'>,
  files: readonly ChangedFile[],
): readonly string[] {
  const words = wordsOf(task);
  return files.flatMap(({ file, status }) => {
    const entry = status === 'deleted' ? undefined : readEntry(path.join(root, file));
    if (entry?.kind !== 'link' || words.includes(entry.target)) return [];
    const end = orElse(() => realpathSync(path.join(root, file)), undefined);
    if (end === undefined || isInTree(end, realpathSync(root)) || isAtOrBelow(end, '/dev')) return [];
    return [`${file} leads out of the repository, to ${entry.target}: no commit has what lies there`];
  });
}

/** No commit has a git folder. */
function isInTree(end: string, root: string): boolean {
  return isAtOrBelow(end, root) && !path.relative(root, end).split(path.sep).includes('.git');
}
