// Reapplies a rescue point to a changed tree, where nobody else changed the file. Never merges within one.
import { foldersOf, rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { changedEntries } from '../tree/changes.ts';
import { readFlags } from '../tree/flags.ts';
import { matchIgnored } from '../tree/ignored.ts';
import { putEntries, setIndex, withCopy, writeIndexTree } from '../tree/index-file.ts';
import type { TreeChange } from '../tree/raw-diff.ts';
import { isSameInTree, nothingIn } from '../tree/tree-entry.ts';
import { changedInPoint, readExact, writeExact } from './exact-files.ts';
import { type RescueOptions, saveRescue } from './rescue.ts';
import { restoreTree } from './restore-tree.ts';

export type RescueReplay = Omit<RescueOptions, 'reason'> &
  Readonly<{
    point: string;
    /** Afterwards it matches the work tree. */
    work: string;
    /** Untracked files that stay, whatever the point holds. */
    keep: ReadonlySet<string>;
    stay?: ReadonlySet<string>;
    /** Default: HEAD. */
    onto?: string;
  }>;

/**
 * Applies what the point changed against its own HEAD, after saving the current state. Returns files that the target
 * changed too, without those in `stay`.
 */
export async function replayRescue(repo: Repo, options: RescueReplay): Promise<readonly string[]> {
  const { point, work, keep, stay = new Set<string>(), onto = 'HEAD' } = options;
  const reason = `before the work of ${point.slice(0, 12)} comes back`;
  const saved = await saveRescue(repo, { ...options, reason });
  const held = new Map((await readExact(repo, point)).map((one) => [rawOf(one.file), one]));
  const changes = await findWork(repo, options);
  const theirs = await changedEntries(repo, `${point}^2`, onto);
  const { free = [], left = [] } = partChanges(changes, theirs);
  const tree = await withCopy(options.index, 'replay', async (index) => {
    await setIndex(repo, onto, index);
    const entries = free.filter(({ raw }) => !held.has(raw));
    await putEntries(
      repo,
      index,
      entries.map(({ raw, was, is }) => ({ raw, ...(is ?? nothingIn(was?.oid ?? '')) })),
    );
    return writeIndexTree(repo, index);
  });
  await restoreTree(repo, { tree, index: work, rescue: saved.oid, exact: point, keep, stay });
  const exact = free.filter(({ raw }) => held.has(raw));
  const written = new Set(
    await writeExact(
      repo,
      exact.flatMap(({ raw, file }) => (stay.has(file) ? [] : (held.get(raw) ?? []))),
    ),
  );
  const blocked = exact.filter(({ file }) => !written.has(file));
  return [...left, ...blocked].map(({ file }) => file).filter((file) => !stay.has(file));
}

/** `left`: what others have otherwise, or a folder in its place or the reverse. */
export function partChanges(changes: readonly TreeChange[], others: readonly TreeChange[]) {
  const theirs = new Map(others.map((one) => [one.raw, one]));
  const folders = new Set([...theirs.keys()].flatMap(foldersOf));
  const isFree = ({ raw, is }: TreeChange): boolean =>
    theirs.has(raw)
      ? isSameInTree(theirs.get(raw)?.is, is)
      : !folders.has(raw) && !foldersOf(raw).some((folder) => theirs.has(folder));
  return Object.groupBy(changes, (one) => (isFree(one) ? 'free' : 'left'));
}

/** Without the user's new files, ignored ones copied to be safe, and those that git was told not to look at. */
async function findWork(repo: Repo, { point, keep }: RescueReplay): Promise<readonly TreeChange[]> {
  const changes = await changedInPoint(repo, point);
  const added = changes.filter(({ was }) => was === undefined).map(({ raw }) => raw);
  const strange = new Set([...(await matchIgnored(repo, added)), ...[...keep].map(rawOf)]);
  const flags = await readFlags(repo);
  return changes.filter(({ raw, was }) => !flags.has(raw) && !(was === undefined && strange.has(raw)));
}
