// Finds the working tree for a taken-up run; refuses one with files that would be overwritten, before the remote knows.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { listWorktrees } from '../../git/place/branches.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { chooseRescued } from '../../git/rescue/rescue-point.ts';
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import { fewOf, foldersOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readStatus, type StatusEntry } from '../../git/tree/status.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import { runsFolder } from '../../journal/run-files.ts';
import type { RunState } from '../../journal/state.ts';
import type { CliContext } from '../context.ts';
import { findPlaceAt } from '../locate.ts';
import { openPlainRepo, rescueOptionsOf } from '../open-place.ts';
import type { Carried } from './find-carried.ts';

/** `leftover`: files to take out of the tree and keep. */
export type FoundTree = Readonly<{ where: string; leftover: ReadonlySet<string> }>;

/** The tree that has the branch checked out; undefined if a new one must be made. */
export async function findTree(
  context: CliContext,
  repo: Repo,
  { carried, target, local }: Readonly<{ carried: Carried; target: string; local: RunState | undefined }>,
): Promise<FoundTree | undefined> {
  const { branch, run } = carried;
  const own = local?.worktree?.path ?? '';
  const isThere = findPlaceAt(own)?.commonDir === repo.home;
  const where = isThere ? own : (await listWorktrees(repo)).find((tree) => tree.branch === branch)?.path;
  if (where === undefined) {
    const head = await readRef(repo, `refs/heads/${branch}`);
    if (local || head === undefined || (await descends(repo, head, target))) return undefined;
    throw new Failure('preflight', `the branch ${branch} here is not that of run ${run}`, {
      hint: `Rename it (git branch -m ${branch} ${branch}-old), then take the run up.`,
    });
  }
  // After a cut-off take-up, the run's folder is already here.
  if (!local && !existsSync(path.join(runsFolder(repo.home), run)))
    throw new Failure('preflight', `the branch ${branch} is checked out in ${where}`, {
      hint: `A run from elsewhere gets its own working tree: leave the branch there (git -C ${where} switch --detach), then take it up.`,
    });
  const tree = await openPlainRepo(context, { root: where });
  const leftover = await refuseChanges(tree, [target, carried.work ?? target], local);
  return { where, leftover };
}

/**
 * Returns what to take out and keep; throws if anything else would be overwritten: git holds ignored files expendable.
 */
export async function refuseChanges(
  tree: Repo,
  trees: readonly string[],
  local: RunState | undefined,
): Promise<ReadonlySet<string>> {
  const namesOf = async (args: readonly string[]) =>
    (await tree.git(args)).split('\0').filter((name) => name !== '');
  const { entries } = await readStatus(tree);
  const changed = entries.filter(({ kind }) => kind !== 'untracked').map(({ file }) => file);
  const listings = await Promise.all(
    trees.map((each) => namesOf(['ls-tree', '-r', '-z', '--name-only', '--full-tree', each])),
  );
  const leftover = local ? findLeftover(tree, entries, local) : new Set<string>();
  const coming = findInTheWay(await namesOf(['ls-files', '-o', '-z']), listings.flat());
  const inTheWay = [...changed, ...coming].filter((file) => !leftover.has(file));
  if (inTheWay.length === 0) return leftover;
  throw new Failure(
    'preflight',
    `${tree.root}, where the run worked before, has files that the run would overwrite: ${fewOf(inTheWay)}`,
    {
      hint: 'Commit it on another branch, stash it (git stash -u), or move it away if git ignores it; then take the run up.',
    },
  );
}

/** The untracked files that incoming names would replace, also a file in a folder's place, or the reverse. */
export function findInTheWay(untracked: readonly string[], coming: readonly string[]): readonly string[] {
  // Some file systems treat two spellings as one name.
  const keyOf = (name: string) => name.normalize('NFC').toLowerCase();
  const files = new Set(coming.map(keyOf));
  const folders = new Set([...files].flatMap(foldersOf));
  return untracked.filter((name) => {
    const key = keyOf(name).replace(/\/$/, '');
    return files.has(key) || folders.has(key) || foldersOf(key).some((folder) => files.has(folder));
  });
}

/** Changed or new files that a rescue point can hold, except those from before the run. */
function findLeftover(tree: Repo, entries: readonly StatusEntry[], local: RunState): ReadonlySet<string> {
  const users = new Set(local.started.untracked);
  const own = entries.filter(
    ({ file, kind, gitlink }) => kind !== 'unmerged' && !gitlink && !users.has(file),
  );
  const { notHeld } = chooseRescued(tree.root, own, { include: [] });
  const left = new Set(notHeld.map(({ file }) => file));
  return new Set(own.map(({ file }) => file).filter((file) => !left.has(file)));
}

/** Returns the rescue point. */
export async function setLeftoverAside(
  tree: Repo,
  { run, leftover }: Readonly<{ run: string; leftover: ReadonlySet<string> }>,
): Promise<string> {
  const folder = path.join(runsFolder(tree.home), run);
  const reason = 'what the run had left here, when it came back from another machine';
  const rescue = await saveRescue(tree, { ...rescueOptionsOf({ run, folder }), reason });
  const untracked = (await listUntracked(tree)).filter((file) => !leftover.has(file));
  const index = path.join(folder, 'index');
  await restoreTree(tree, { tree: 'HEAD^{tree}', index, keep: new Set(untracked), rescue: rescue.oid });
  // The rescue point has what was staged too.
  await tree.write('unstage', ['reset', '-q']);
  return rescue.oid;
}
