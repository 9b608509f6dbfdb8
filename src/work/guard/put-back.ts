// Puts back files of the run's tree that nobody was to change, and names the command that undoes this.
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import { fewOf } from '../../git/run/names.ts';
import { changedEntries, type EntryChange } from '../../git/tree/changes.ts';
import { withCopy } from '../../git/tree/index-file.ts';
import type { Place } from '../../place/place.ts';
import { shellWord } from '../../shell-word.ts';
import { rescueOptions, saveRescuePoint } from '../rescue/rescue-point.ts';

/** `pawl`: no session, and no check. */
export type Who = 'reviewer' | 'planner' | 'check' | 'pawl';

/** Without the plan. */
export async function changesBetween(
  { repo, plan }: Place,
  from: string,
  to: string,
): Promise<readonly EntryChange[]> {
  return (await changedEntries(repo, from, to)).filter(({ file }) => file !== plan.name);
}

export async function putBack(
  place: Place,
  given: Readonly<{ who: Who; tree: string; back: readonly EntryChange[] }>,
): Promise<void> {
  const { who, tree, back } = given;
  if (back.length === 0) return;
  const names = back.map(({ file }) => file);
  const kept = await saveRescuePoint(place, `what changed while ${nameOfWho(who)} worked`);
  const { index } = rescueOptions(place);
  const only = (file: string) => names.includes(file);
  await withCopy(index, 'back', (copy) => restoreTree(place.repo, { tree, index: copy, rescue: kept, only }));
  const later = back.filter(({ isGone }) => !isGone).map(({ file }) => file);
  const detail = `${fewOf(names)}, while ${nameOfWho(who)} worked${formatReturn(kept, later)}`;
  place.run.emit({ type: 'act-found', act: 'changed-tree', detail, response: 'put-back', kept });
}

function nameOfWho(who: Who): string {
  return who === 'pawl' ? 'no session' : `a ${who}`;
}

function formatReturn(kept: string, files: readonly string[]): string {
  if (files.length === 0) return '';
  const names = `${files.slice(0, 3).map(shellWord).join(' ')}${files.length > 3 ? ' …' : ''}`;
  return `; \`git restore --source=${kept.slice(0, 12)} --worktree -- ${names}\` brings back what was there`;
}
