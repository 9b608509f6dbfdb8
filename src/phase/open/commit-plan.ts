// Commits the plan file alone, so that the work has a base.
import path from 'node:path';
import { commitFile } from '../../git/commit/commit-file.ts';
import type { Place } from '../../place/place.ts';
import { planMessage } from './plan-message.ts';

/** Commits the file (relative to the repository's root) as it is in the work tree; returns the commit. */
export function commitPlanFile({ repo, run }: Pick<Place, 'repo' | 'run'>, file: string): Promise<string> {
  return commitFile(repo, {
    file,
    message: planMessage(run, path.basename(file)),
    mark: `PAWL_CHECK=${run.folder}/commit`,
  });
}
