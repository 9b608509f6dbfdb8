// What a person's plan, never a planner's words, lets a task change of the files that decide checks.
import { declaresFile, namesFile } from '../check/names-file.ts';
import { matchesAny } from '../git/tree/glob.ts';
import type { Place } from '../place/place.ts';
import type { Task } from '../plan/plan.ts';

/** In words; undefined: the plan, as a person wrote it, gives no leave. */
export function findLeave(
  { run }: Readonly<{ run: Pick<Place['run'], 'state'> }>,
  { id }: Pick<Task, 'id'>,
  file: string,
): string | undefined {
  const { files, text } = run.state().leave.get(id) ?? { files: [], text: '' };
  if (files.some((glob) => declaresFile(glob, file, matchesAny))) return 'as its `files:` allows';
  return namesFile(text, file) ? 'as its text asks' : undefined;
}
