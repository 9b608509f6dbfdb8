// Makes a lane's tree another one, and its HEAD a commit: at a task's start, and when its work is merged with what landed. What
// was there is a rescue first; what is in no tree stays. It may be cut off at any point, and be called again.

import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { restoreTree } from '../../git/rescue/rescue.ts';
import { changeRefs } from '../../git/run/head.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import { setIndex, withCopy } from '../../git/tree/index-file.ts';
import type { Place } from '../../place/place.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';

/** `known`: the tree that was written of it last: what that does not hold is no work. */
export async function moveLane(
  lane: Place,
  { known, tree, commit, reason }: Readonly<{ known: string; tree: string; commit: string; reason: string }>,
): Promise<void> {
  const { repo, index } = lane;
  const rescue = await saveRescuePoint(lane, reason);
  const keep = await withCopy(index, 'beside', async (copy) => {
    await setIndex(repo, known, copy);
    const others = await repo.bytes(['ls-files', '-o', '-z', '--exclude-standard'], { index: copy });
    return new Set(splitNul(others).map(nameOf));
  });
  await restoreTree(repo, { tree, index, rescue, keep });
  const old = await readHeadCommit(repo);
  if (old !== commit) await changeRefs(repo, 'catch up', [{ ref: 'HEAD', now: commit, old }]);
  await setIndex(repo, commit);
}
