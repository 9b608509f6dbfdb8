// Removes a lane that nobody will continue, after saving what is in no commit of its branch.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { moveFile, removeEmptyFolder, removeOwnFolder } from '../../disk.ts';
import { isCopy } from '../place/ignored-work.ts';
import { readHead } from '../protect/snapshot.ts';
import { saveRescue } from '../rescue/rescue.ts';
import { repairHead } from '../run/head.ts';
import { rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { listDirt, listUntracked } from '../tree/tree.ts';
import { keepAllOfGround, keepGround } from './ground-home.ts';

/** Suffix of a lane's folder that is being removed. No plan's name, after which grounds are named, ends so. */
export const goneMark = '.gone-';

/** `number`: absent for a run's own ground. `ignored`: raw names of ignored files to hold. */
type LaneLeft = Readonly<{
  run: string;
  number?: number | undefined;
  branch?: string | undefined;
  ignored?: readonly string[];
  /** The tree whose untracked files were copied. */
  from: string;
}>;

/** A session may have broken the git folder. */
export async function isReadable(lane: Repo, branch: string, rev = 'HEAD'): Promise<boolean> {
  if (!existsSync(lane.gitDir)) return false;
  const head = readHead(lane);
  if (head.branch === undefined && head.detached === undefined) repairHead(lane, branch);
  try {
    await lane.git(['rev-parse', '-q', '--verify', `${rev}^{tree}`]);
    return true;
  } catch {
    return false;
  }
}

/** Renames the folder for a person to look at; `pawl clean` removes it once the run is over. */
export function setAside(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  let aside = `${folder}.aside`;
  for (let at = 2; existsSync(aside); at += 1) aside = `${folder}.aside-${at}`;
  moveFile(folder, aside);
  return aside;
}

/** Undefined if git cannot read it. */
export async function saveLane(
  repo: Repo,
  lane: Repo,
  { run, number, ignored = [], from, branch = readHead(lane).branch }: LaneLeft,
) {
  if (branch === undefined || !(await isReadable(lane, branch, `refs/heads/${branch}`))) return undefined;
  const files = [
    ...(await listDirt(lane)),
    ...(await listUntracked(lane)).filter((file) => !isCopy(lane.root, from, rawOf(file))),
  ];
  const index = path.join(lane.gitDir, 'pawl-rescue.index');
  const reason = `what ${number === undefined ? lane.root : `lane ${number}`} held when it was removed`;
  const { oid, notHeld } = await saveRescue(lane, { run, reason, index, ignored });
  const of = { ground: lane, home: repo, run, branch };
  await (number === undefined ? keepAllOfGround(of) : keepGround({ ...of, lane: number }));
  return { oid, files, notHeld };
}

/** Renamed first, so that a kill leaves no half; `tell` is called in between. */
export function removeLane(folder: string, tell: () => void = () => undefined): void {
  const gone = folder.endsWith(goneMark) ? folder : `${folder}${goneMark}`;
  if (gone !== folder && existsSync(folder)) {
    removeOwnFolder(gone);
    moveFile(folder, gone);
  }
  tell();
  removeOwnFolder(gone);
  removeEmptyFolder(path.dirname(folder));
}
