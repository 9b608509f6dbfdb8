// Prepares a ground for checks, and runs checks in a ground at a tree that is not committed yet.
import { copyBelow } from '../../git/place/untracked.ts';
import { commitPoint } from '../../git/rescue/rescue-commit.ts';
import { rawOf } from '../../git/run/names.ts';
import { inGround } from '../../ground/in-ground.ts';
import type { Ground } from '../../ground/make.ts';
import type { Place } from '../../place/place.ts';
import { configuredChecks, type PlacedCheck } from '../work.ts';
import { runOneCheck } from './run-checks.ts';

/** Runs the setup command in it. Returns why it could not, else undefined. */
export async function setUpGround(place: Place, ground: Ground): Promise<string | undefined> {
  const { setup } = place.run.config.worktree;
  const [check] = setup === undefined ? [] : configuredChecks([setup]);
  if (!check) return undefined;
  const { result } = await runOneCheck(place, { ...check, cwd: '.' }, { when: 'setup', ground });
  return result === 'green' ? undefined : `worktree.setup failed in a fresh checkout: ${setup}`;
}

/** Whether the checks are all green in a fresh checkout of a tree, with the given files of the working tree beside it. */
export async function areGreenIn(
  place: Place,
  checks: readonly PlacedCheck[],
  { tree, parent, beside }: Readonly<{ tree: string; parent: string; beside: readonly string[] }>,
): Promise<boolean> {
  const message = 'a tree as it would be committed\n';
  const commit = await commitPoint(place.repo, tree, { parents: parent === '' ? [] : [parent], message });
  return inGround(place, { use: 'prove', commit }, async (ground) => {
    for (const file of beside) copyBelow(place.repo.root, ground.root, rawOf(file));
    if ((await setUpGround(place, ground)) !== undefined) return false;
    for (const check of checks) {
      const { result } = await runOneCheck(place, check, { when: 'fresh', ground });
      if (result !== 'green') return false;
    }
    return true;
  });
}
