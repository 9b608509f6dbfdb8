// Whether git can read a lane: a session may have broken its git folder. Then its files are kept beside it, for a person to look
// at, and the lane is made anew.
import { existsSync } from 'node:fs';
import { moveFile } from '../../disk.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { repairHead } from '../../git/run/head.ts';
import type { Place } from '../../place/place.ts';
import { hasLane, laneFolder } from './lanes.ts';

/** Whether git can read it, with a HEAD that it can read again. */
export async function isUsable(trunk: Place, { repo }: Place, number: number): Promise<boolean> {
  if (!hasLane(trunk, number)) return false;
  const { branch, detached } = readHead(repo);
  if (branch === undefined && detached === undefined) repairHead(repo, trunk.run.state().started.branch);
  try {
    await repo.git(['rev-parse', '-q', '--verify', 'HEAD^{tree}']);
    return true;
  } catch {
    return false;
  }
}

/** Moves its folder aside, if there is one; returns where its files are then. */
export function setLaneAside(trunk: Place, number: number): string | undefined {
  const folder = laneFolder(trunk, number);
  if (folder === undefined || !existsSync(folder)) return undefined;
  let aside = `${folder}.aside`;
  for (let at = 2; existsSync(aside); at += 1) aside = `${folder}.aside-${at}`;
  moveFile(folder, aside);
  return aside;
}
