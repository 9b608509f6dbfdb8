// `pawl clean` for grounds and lanes: lists each with its size, and removes it if its run is over. Those of a repository that
// is gone are named.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { removeEmptyFolder } from '../../disk.ts';
import type { Repo } from '../../git/run/repo.ts';
import { forgetGround, listGrounds } from '../../journal/grounds.ts';
import { orElse } from '../../or-else.ts';
import { formatBytes } from '../../report/text/figure.ts';
import { type CliContext, print } from '../context.ts';
import { type GroundFolder, listGroundFolders, readNames, sizeOf, whyItStays } from './list.ts';
import { groundsOf } from './make-own.ts';
import { formatSaved, removeGround } from './remove.ts';

/** Lists and removes them; returns true if there was any to remove. */
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
    if (!dryRun) removeEmptyFolder(path.dirname(ground.root));
  }
  for (const { root, maker, folder } of dryRun ? [] : listGrounds(repo.home))
    if (!maker && root !== undefined && !existsSync(root)) forgetGround(folder);
  listLost(context, groundsOf(context.folders.state, repo.home));
  return removed;
}

function describe({ root, run, lane }: GroundFolder): string {
  const of =
    run === undefined ? 'of no run' : `${lane === undefined ? 'of' : `lane ${lane} of`} run ${run.run}`;
  return `${root}  (${formatBytes(sizeOf(root))}, ${of})`;
}

/** Grounds of repositories that no longer exist, so that no `pawl clean` will ever run in them. */
function listLost(context: CliContext, own: string): void {
  const folders = [1, 2, 3].reduce<readonly string[]>(
    (above) => above.flatMap((folder) => readNames(folder).map((name) => path.join(folder, name))),
    [path.dirname(own)],
  );
  for (const folder of folders) {
    const objects = isBelow(folder, own) ? undefined : readObjects(folder);
    if (objects === undefined || existsSync(objects)) continue;
    const about = `${folder}  (${formatBytes(sizeOf(folder))}, of ${path.dirname(objects)}, which is gone)`;
    print(context, `kept  ${about}: take what you need out of it, and remove it`);
  }
}

function readObjects(folder: string): string | undefined {
  return orElse(
    () => readFileSync(path.join(folder, '.git/objects/info/alternates'), 'utf8').split('\n')[0],
    undefined,
  );
}
