// Undoes a branch switch in which pawl was killed, before anything is judged: a half-written branch is not a person's
// change.

import { isSwitchCutOff, undoCutOffSwitch } from '../git/place/switch-branch.ts';
import type { Repo } from '../git/run/repo.ts';
import { acquireLock } from '../journal/lock.ts';
import { type CliContext, printNote } from './context.ts';

/** Takes back the rest of such a switch, under the tree's lock, and says so. */
export async function endCutOffSwitch(context: CliContext, repo: Repo): Promise<void> {
  if (!isSwitchCutOff(repo)) return;
  using _lock = acquireLock(repo.gitDir, 'a switch of branches that was cut off', context.now());
  const told = await undoCutOffSwitch(repo);
  if (told !== undefined) printNote(context, told);
}
