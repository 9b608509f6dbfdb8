// Makes a lane's tree another one, and its HEAD a commit: at a task's start, and when its work is merged with what landed. What
// is in no tree stays. It may be cut off at any point, and be called again.
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { restoreTree } from '../../git/rescue/rescue.ts';
import { changeRefs } from '../../git/run/head.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import { setIndex, withCopy } from '../../git/tree/index-file.ts';
import type { Place } from '../../place/place.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { followInside } from './follow-inside.ts';

/** `known`: the tree that was written of it last: what that does not hold is no work. */
export type Move = Readonly<{ known: string; tree: string; commit: string; reason: string }>;

/** From any state, with a rescue of what was there. */
export async function moveLane(lane: Place, { known, tree, commit, reason }: Move): Promise<void> {
  const { repo, index } = lane;
  const ignored = await findInTheWay(lane, tree);
  const rescue = await saveRescuePoint(lane, reason, { ignored });
  const keep = await withCopy(index, 'beside', async (copy) => {
    await setIndex(repo, known, copy);
    const others = await repo.bytes(['ls-files', '-o', '-z', '--exclude-standard'], { index: copy });
    return new Set(splitNul(others).map(nameOf));
  });
  await restoreTree(repo, { tree, index, rescue, keep });
  await setHead(lane, commit, await readHeadCommit(repo));
}

/** From the tree that it is known to be at `from`; git itself refuses where that would lose anything, and then the longer way is gone. */
export async function moveKnownLane(lane: Place, { from, ...move }: Move & { from: string }): Promise<void> {
  const { known, tree, commit } = move;
  try {
    await lane.repo.write('move lane', ['read-tree', '-m', '-u', known, tree], { index: lane.index });
  } catch {
    return moveLane(lane, move);
  }
  await setHead(lane, commit, from);
}

/** Ignored files where the tree has files of its own; raw names. */
async function findInTheWay({ repo }: Place, tree: string): Promise<readonly string[]> {
  const listed = splitNul(await repo.bytes(['ls-files', '-o', '-i', '--exclude-standard', '-z']));
  if (listed.length === 0) return [];
  const wanted = new Set(splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree])));
  return listed.filter((raw) => wanted.has(raw));
}

async function setHead(lane: Place, commit: string, old: string): Promise<void> {
  const { repo } = lane;
  if (old !== commit) await changeRefs(repo, 'catch up', [{ ref: 'HEAD', now: commit, old }]);
  await setIndex(repo, commit);
  await followInside(lane, commit);
}
