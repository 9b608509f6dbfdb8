// `pawl clean` for the lanes that runs left, such as one that was given up or begun over: each is removed when its run is
// over, and what it held that never landed is saved. Those of a repository that is gone are named.

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { configSchema } from '../../config/schema.ts';
import { removeEmptyFolder, removeOwnFolder } from '../../disk.ts';
import { goneMark, removeLane, saveLane } from '../../git/lane/save-lane.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { isPassing } from '../../ground/in-ground.ts';
import { groundAt } from '../../ground/make.ts';
import { listRuns } from '../../journal/folder.ts';
import { readIfSound } from '../../journal/read-journal.ts';
import { isFinished } from '../../journal/state.ts';
import { orElse } from '../../or-else.ts';
import { formatBytes } from '../../report/text/figure.ts';
import { type CliContext, print } from '../context.ts';
import { findRunHolder } from '../find-run.ts';
import type { Place } from '../locate.ts';
import { readNames, sizeOf } from '../size.ts';
import { saveFiles } from './lost-repository.ts';
import { lanesFolder } from './slot.ts';

/** Lists and removes them; returns true if there was any to remove. */
export async function cleanLanes(
  context: CliContext,
  { place, repo }: Readonly<{ place: Place; repo: Repo }>,
  dryRun: boolean,
): Promise<boolean> {
  const all = lanesFolder(context.folders.state, repo.commonDir);
  let removed = false;
  for (const run of readNames(all)) {
    const below = path.join(all, run);
    const stays = whyRunStays(place, run);
    for (const name of readNames(below)) {
      const folder = path.join(below, name);
      const about = `${folder}  (${formatBytes(sizeOf(folder))}, of run ${run})`;
      const end = stays === undefined ? await endLane(repo, { run, folder, dryRun }) : { why: stays };
      removed ||= end.why === undefined;
      print(
        context,
        end.why === undefined
          ? `${dryRun ? 'would remove' : 'removed'}  ${about}`
          : `kept  ${about}: ${end.why}`,
      );
      if (end.saved !== undefined) print(context, `Its work that had not landed is saved: ${end.saved}`);
    }
    if (!dryRun) removeEmptyFolder(below);
  }
  listLost(context, all);
  return removed;
}

/** Lanes of repositories that no longer exist, so that no `pawl clean` will ever run in them. */
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

/** The folder whose objects a lane borrows. */
function readObjects(folder: string): string | undefined {
  return orElse(
    () => readFileSync(path.join(folder, '.git/objects/info/alternates'), 'utf8').split('\n')[0],
    undefined,
  );
}

function whyRunStays(place: Place, run: string): string | undefined {
  const known = listRuns(place.commonDir).find((each) => each.run === run);
  if (!known) return undefined;
  if (findRunHolder(place, run)) return 'pawl works on it';
  const state = readIfSound(known.folder);
  return state && isFinished(state) ? undefined : 'it is not finished';
}

async function endLane(
  repo: Repo,
  { run, folder, dryRun }: Readonly<{ run: string; folder: string; dryRun: boolean }>,
): Promise<Readonly<{ why?: string; saved?: string }>> {
  const isGone = folder.endsWith(goneMark) || isPassing(path.basename(folder));
  if (isGone && !dryRun) removeOwnFolder(folder);
  if (isGone || dryRun) return {};
  const lane = Number(/-(\d+)(?:\.aside(?:-\d+)?)?$/.exec(folder)?.[1]);
  const { include } = configSchema.parse({}).rescue;
  const saved = await saveLane(repo, groundAt(repo, folder), { run, number: lane, include });
  if (!saved) return endUnread(repo, { run, folder });
  if (saved.notHeld.length > 0)
    return { why: `some of it cannot be saved: ${fewOf(saved.notHeld.map(({ file }) => file))}` };
  removeLane(folder);
  return saved.files.length > 0 ? { saved: `pawl rescue show ${saved.oid.slice(0, 10)} --run ${run}` } : {};
}

/** One that git cannot read, such as one that was set aside because of that. */
async function endUnread(
  repo: Repo,
  { run, folder }: Readonly<{ run: string; folder: string }>,
): Promise<Readonly<{ why?: string; saved?: string }>> {
  const end = await saveFiles(repo, { tree: folder, name: `${run}-${path.basename(folder)}` });
  if ('why' in end) return end;
  removeLane(folder);
  return { saved: `git worktree add ../saved ${end.ref}` };
}
