// Commits the plan file alone, so that the work has a base.
import path from 'node:path';
import { commitFile } from '../../git/commit/commit-file.ts';
import type { Place } from '../../place/place.ts';
import { planMessage, tellAdded } from './plan-message.ts';

/** Commits the file (relative to the repository's root) as it is in the work tree; returns the commit. */
export async function commitPlanFile(
  { repo, run, home }: Pick<Place, 'repo' | 'run' | 'home'>,
  file: string,
  message = planMessage(run, path.basename(file)),
): Promise<string> {
  const mark = `PAWL_CHECK=${run.folder}/commit` as const;
  const oid = await commitFile(repo, { file, message, mark, onAdded: tellAdded(run) });
  await home?.bring();
  return oid;
}
