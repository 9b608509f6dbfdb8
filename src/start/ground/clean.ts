// `pawl clean` for grounds and lanes: lists each with its size, removes it if its run is over.
import { existsSync } from 'node:fs';
import type { Repo } from '../../git/run/repo.ts';
import { forgetGround, listGrounds } from '../../journal/grounds.ts';
import { formatBytes } from '../../report/text/figure.ts';
import { type CliContext, print } from '../context.ts';
import { type GroundFolder, listGroundFolders, sizeOf, whyItStays } from './list.ts';
import { formatSaved, removeGround } from './remove.ts';

/** True if there was any to remove. */
export async function cleanGrounds(context: CliContext, repo: Repo, dryRun: boolean): Promise<boolean> {
  let removed = false;
  for (const ground of listGroundFolders(context, repo.home)) {
    const about = describe(ground);
    const stays = whyItStays(repo.home, ground);
    const end = stays !== undefined ? { why: stays } : dryRun ? {} : await removeGround(repo, ground);
    removed ||= end.why === undefined;
    if (end.why === undefined) print(context, `${dryRun ? 'would remove' : 'removed'}  ${about}`);
    else print(context, `kept  ${about}: ${end.why}`);
    if (end.saved !== undefined) print(context, formatSaved(end.saved));
  }
  for (const { root, maker, folder } of dryRun ? [] : listGrounds(repo.home))
    if (!maker && root !== undefined && !existsSync(root)) forgetGround(folder);
  return removed;
}

function describe({ root, run, lane }: GroundFolder): string {
  const of =
    run === undefined ? 'of no run' : `${lane === undefined ? 'of' : `lane ${lane} of`} run ${run.run}`;
  return `${root}  (${formatBytes(sizeOf(root))}, ${of})`;
}
