// Prepares a fresh checkout for checks, and runs checks in a fresh checkout of a tree that is not committed yet.

import { copyBelow, findUntracked } from '../../git/place/untracked.ts';
import { commitPoint } from '../../git/rescue/rescue-commit.ts';
import { rawOf } from '../../git/run/names.ts';
import type { Place } from '../../place/place.ts';
import { inScratchCheckout } from '../../place/scratch-checkout.ts';
import { configuredChecks, type PlacedCheck } from '../work.ts';
import { runOneCheck } from './run-checks.ts';

/**
 * Prepares a checkout like a new working tree of the run: copies files and runs the setup command. Returns why it could
 * not, else undefined.
 */
export async function setUpCheckout(place: Place, root: string): Promise<string | undefined> {
  const { copy, setup } = place.run.config.worktree;
  for (const file of await findUntracked(place.repo, copy)) copyBelow(place.repo.root, root, file);
  const [check] = setup === undefined ? [] : configuredChecks([setup]);
  if (!check) return undefined;
  const { result } = await runOneCheck(place, { ...check, cwd: '.' }, { when: 'setup', root });
  return result === 'green' ? undefined : `worktree.setup failed in a fresh checkout: ${setup}`;
}

/** Whether the checks are all green in a fresh checkout of a tree, with the given files of the working tree beside it. */
export async function areGreenIn(
  place: Place,
  checks: readonly PlacedCheck[],
  { tree, parent, beside }: Readonly<{ tree: string; parent: string; beside: readonly string[] }>,
): Promise<boolean> {
  const message = 'a tree as it would be committed\n';
  const head = await commitPoint(place.repo, tree, { parents: parent === '' ? [] : [parent], message });
  return inScratchCheckout(place, { head, name: 'checks' }, async (root) => {
    for (const file of beside) copyBelow(place.repo.root, root, rawOf(file));
    if ((await setUpCheckout(place, root)) !== undefined) return false;
    for (const check of checks) {
      const { result } = await runOneCheck(place, check, { when: 'fresh', root });
      if (result !== 'green') return false;
    }
    return true;
  });
}
