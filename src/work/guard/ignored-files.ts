// Reports, each once, files that a session wrote and git ignores: no commit will contain them.
import { findIgnoredFiles, type IgnoredFile } from '../../git/tree/ignored.ts';
import type { Place } from '../../place/place.ts';
import { stateOf, type Work } from '../work.ts';
import { findEdited } from './user-files.ts';

/** Beyond this many per session, files are counted instead of named. */
const mostTold = 20;

/** The written files that git now ignores, and kept ignored files that have changed; never the plan. */
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
