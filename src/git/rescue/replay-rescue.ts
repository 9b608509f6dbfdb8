// Reapplies the work of a rescue point to a tree that has changed since: file by file, where nobody else changed the file.
// Never merges within a file.

import { defined } from '../../defined.ts';
import { joinNul, nameOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { putEntries, setIndex, unstageFiles, withCopy, writeIndexTree } from '../tree/index-file.ts';
import { type RescueOptions, restoreTree, saveRescue } from './rescue.ts';

export type RescueReplay = Omit<RescueOptions, 'reason'> &
  Readonly<{
    /** Commit of the rescue point. */
    point: string;
    /** Index file of the run; afterwards it matches the work tree. */
    work: string;
    /** Untracked files that stay as they are, whatever the point holds. */
    keep: ReadonlySet<string>;
    /** Tracked files that stay as they are. */
    stay?: ReadonlySet<string>;
    /** The tree to reapply onto. Default: HEAD's. */
    onto?: string;
  }>;

/**
 * Applies to the work tree what a rescue point changed against its own HEAD, after saving the current state as a rescue
 * point. Returns the files that were left alone because the target tree changed them too, without those in `stay`.
 */
export async function replayRescue(
  repo: Repo,
  options: RescueReplay,
): Promise<Readonly<{ left: readonly string[] }>> {
  const { point, work, keep, stay, onto = 'HEAD' } = options;
  const saved = await saveRescue(repo, {
    ...options,
    reason: `before the work of ${point.slice(0, 12)} comes back`,
  });
  const { tree, left } = await withCopy(options.index, 'replay', async (index) => {
    const strange = await findStrange(repo, options);
    await setIndex(repo, onto, index);
    const args = ['read-tree', '-i', '-m', '--aggressive', `${point}^2`, onto, point];
    await repo.write('merge trees', args, { index });
    const conflicts = await resolveToOurs(repo, index);
    await unstageFiles(repo, index, strange);
    return { tree: await writeIndexTree(repo, index), left: conflicts };
  });
  await restoreTree(repo, {
    tree,
    index: work,
    rescue: saved.oid,
    exact: point,
    keep,
    ...defined({ stay }),
  });
  return { left: stay ? left.filter((file) => !stay.has(file)) : left };
}

/**
 * New files of the point that are not work: the user's own, and ignored ones that a rescue copies to be safe. Raw names.
 */
async function findStrange(repo: Repo, { point, keep }: RescueReplay): Promise<readonly string[]> {
  const added = splitNul(
    await repo.bytes([
      'diff-tree',
      '-r',
      '-z',
      '--name-only',
      '--no-renames',
      '--diff-filter=A',
      `${point}^2`,
      point,
    ]),
  );
  if (added.length === 0) return [];
  const ignored = splitNul(
    await repo.bytes(['check-ignore', '-z', '--no-index', '--stdin'], {
      input: joinNul(added),
      okCodes: [0, 1],
    }),
  );
  return added.filter((raw) => keep.has(nameOf(raw)) || ignored.includes(raw));
}

/** Resolves what both sides changed to the target's version; returns the names. */
async function resolveToOurs(repo: Repo, index: string): Promise<readonly string[]> {
  const ours = new Map<string, string | undefined>();
  for (const record of splitNul(await repo.bytes(['ls-files', '-u', '-z'], { index }))) {
    const [about = '', raw = ''] = [
      record.slice(0, record.indexOf('\t')),
      record.slice(record.indexOf('\t') + 1),
    ];
    const [mode = '', oid = '', stage] = about.split(' ');
    ours.set(raw, stage === '2' ? `${mode} ${oid} 0\t${raw}` : ours.get(raw));
  }
  await unstageFiles(repo, index, [...ours.keys()]);
  const lines = [...ours.values()].filter((line) => line !== undefined);
  await putEntries(repo, index, lines);
  return [...ours.keys()].map(nameOf);
}
