// Files that a session wrote and that git ignores: no commit will have them, whatever the checks say that ran beside
// them. They are told of, each once; whether anything follows is judged elsewhere.
import { findIgnoredFiles, type IgnoredFile } from '../../git/tree/ignored.ts';
import type { Place } from '../../place/place.ts';
import { stateOf, type Work } from '../work.ts';

/** More files of one session are counted, not named. */
const mostTold = 20;

/** Those of the written files that git ignores, as it is now; the plan is none of them. */
export async function noteHidden(
  place: Place,
  work: Work,
  written: readonly string[],
): Promise<readonly IgnoredFile[]> {
  const found = await findIgnoredFiles(
    place.repo,
    written.filter((file) => file !== place.plan.file),
  );
  const { refused } = stateOf(place, work.task);
  const told = new Set(refused.flatMap(({ why, file }) => (why === 'ignored' ? file : [])));
  for (const { file, rule } of found.slice(0, mostTold)) {
    if (told.has(file)) continue;
    place.run.emit({ type: 'file-refused', task: work.task.id, file, why: 'ignored', detail: `by ${rule}` });
  }
  return found;
}

/** What the session is told of them. */
export function formatHidden(found: readonly IgnoredFile[]): readonly string[] {
  const lines = found
    .slice(0, mostTold)
    .map(({ file, rule }) => `${file} is ignored by git (${rule}), so no commit will have it`);
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `so ${more === 1 ? 'is 1 more file' : `are ${more} more files`}`] : lines;
}
