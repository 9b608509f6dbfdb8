// Files that a check made earlier and a session has since made its own work, so that they belong in its commit.
import path from 'node:path';
import { namesFile } from '../../check/names-file.ts';
import { changeTimeOf } from '../../git/tree/entry.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { Place } from '../../place/place.ts';
import { wordsOf } from '../../plan/plan.ts';
import type { Work } from '../work.ts';

/**
 * Journals them: files that the session's tools wrote, and files that the task names and that changed since the session
 * began. Any other change came from checks the session ran itself.
 */
export function takeMadeFiles(
  { run, repo }: Place,
  { task }: Pick<Work, 'task'>,
  { session, written }: Readonly<{ session: number; written: readonly string[] }>,
): void {
  const since = Date.parse(run.state().sessions.get(session)?.started.at ?? '');
  const byTools = new Set(written.map((file) => path.relative(repo.root, path.resolve(repo.root, file))));
  const isNamed = (file: string): boolean => matchesAny(file, task.files) || namesFile(wordsOf(task), file);
  const files = run
    .state()
    .leftOut.filter(
      (file) => byTools.has(file) || (isNamed(file) && (changeTimeOf(repo, file) ?? 0) >= since),
    );
  if (files.length > 0) run.emit({ type: 'files-made', files: [...new Set(files)], by: 'session' });
}
