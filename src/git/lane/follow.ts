// Updates files after their branch has moved, except a person's. May be cut off and called again.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import { findLossy } from '../rescue/lossy-files.ts';
import { removeFiles, rewriteFiles } from '../rescue/restore-tree.ts';
import { foldersOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { changedEntries } from '../tree/changes.ts';
import { stampAt, statAt } from '../tree/entry.ts';
import { readFlags, setFlags } from '../tree/flags.ts';
import { putEntries, setIndex, withCopy } from '../tree/index-file.ts';
import type { TreeChange } from '../tree/raw-diff.ts';
import { isSameInTree, listIndex, nothingIn, submoduleMode } from '../tree/tree-entry.ts';

/** Of commits. */
export type Move = Readonly<{ from: string; to: string }>;

/** Returns a person's files, which differ from both commits. */
export async function followBranch(repo: Repo, { from, to }: Move): Promise<readonly string[]> {
  // Moving a submodule is up to its owner.
  const changes = (await changedEntries(repo, from, to)).filter(
    ({ was, is }) => was?.mode !== submoduleMode && is?.mode !== submoduleMode,
  );
  if (changes.length === 0) return [];
  // Files whose changes git was told to ignore are a person's, whatever their content.
  const flags = await readFlags(repo);
  const stamps = new Map(changes.map(({ raw }) => [raw, stampAt(repo.root, raw)]));
  // What a person saves meanwhile is theirs too.
  const isSaved = ({ raw }: TreeChange) => {
    const now = stampAt(repo.root, raw);
    return now !== undefined && now !== stamps.get(raw);
  };
  const kept = await withCopy(path.join(repo.gitDir, 'index'), 'pawl-follow', async (index) => {
    const dirty = await listDirty(repo, index, from);
    const isFree = ({ raw }: TreeChange) =>
      foldersOf(raw).every((above) => statAt(repo.root, above)?.isDirectory() ?? true);
    const isTheirs = (change: TreeChange): boolean =>
      flags.has(change.raw) ||
      isSaved(change) ||
      !isFree(change) ||
      (change.was === undefined ? statAt(repo.root, change.raw) !== undefined : dirty.has(change.raw));
    // Deletions first, to make room.
    const gone = changes.filter(({ is, raw }) => is === undefined && statAt(repo.root, raw) !== undefined);
    const whose = (change: TreeChange) => (isTheirs(change) ? 'theirs' : 'ours');
    const { theirs = [], ours = [] } = Object.groupBy(gone, whose);
    removeFiles(repo, rawsOf(ours));
    await setIndex(repo, to, index);
    const come = changes.filter(({ is }) => is !== undefined);
    const held: TreeChange[] = [];
    for (let at = 0; at < come.length; at += atOnce) {
      const { theirs = [], ours = [] } = Object.groupBy(come.slice(at, at + atOnce), whose);
      held.push(...theirs);
      await rewriteFiles(repo, index, rawsOf(ours));
    }
    // What an earlier call has written is not a person's.
    const other = held.length === 0 ? new Set<string>() : await listDirty(repo, index, to);
    // What a sparse checkout leaves out is no file at all.
    const left = held.filter(({ raw }) => (flags.has(raw) ? statAt(repo.root, raw) : other.has(raw)));
    return [...theirs, ...left].map(({ file }) => file);
  });
  await followIndex(repo, changes, flags);
  return kept;
}

/** In a ground, where each is a clone that borrows from the person's; what that lacks stays, and is told as moved. */
export async function followSubmodules(ground: Repo, { from, to }: Move): Promise<void> {
  for (const { file, is } of await changedEntries(ground, from, to)) {
    if (is?.mode !== submoduleMode) continue;
    const gitDir = path.join(ground.gitDir, 'modules', file);
    const folders = { gitDir, commonDir: gitDir, hooksDir: path.join(gitDir, 'hooks') };
    const own = ground.at(path.join(ground.root, file), folders);
    if (!existsSync(own.root)) makeFolder(own.root);
    const args = ['checkout', '-q', '--detach', is.oid];
    if (existsSync(own.gitDir)) await own.write('submodule of ground', args, { okCodes: [0, 1, 128] });
  }
}

/** Files per batch, checked once more before each. */
const atOnce = 200;

function rawsOf(changes: readonly TreeChange[]): readonly string[] {
  return changes.map(({ raw }) => raw);
}

/** Differing in content, or in what a filter leaves out of it. */
async function listDirty(repo: Repo, index: string, commit: string): Promise<ReadonlySet<string>> {
  await setIndex(repo, commit, index);
  await repo.write('refresh index', ['update-index', '-q', '--really-refresh'], { index, okCodes: [0, 1] });
  const differ = splitNul(await repo.bytes(['diff-files', '--name-only', '-z', '--no-renames'], { index }));
  return new Set([...differ, ...(await findLossy(repo, index, { filters: true })).keys()]);
}

/** The index follows where it matched the branch; what a person has staged stays. */
async function followIndex(
  repo: Repo,
  changes: readonly TreeChange[],
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  const index = path.join(repo.gitDir, 'index');
  const staged = Map.groupBy(await listIndex(repo, index), ({ raw }) => raw);
  const isAsWas = ({ raw, was }: TreeChange): boolean => {
    const [entry, other] = staged.get(raw) ?? [];
    return other === undefined && (entry?.number ?? 0) === 0 && isSameInTree(entry, was);
  };
  const entries = changes
    .filter(isAsWas)
    .map(({ raw, was, is }) => ({ raw, ...(is ?? nothingIn(was?.oid ?? '')) }));
  await putEntries(repo, index, entries);
  const come = new Set(changes.flatMap(({ raw, is }) => (is ? raw : [])));
  await setFlags(repo, index, new Map([...flags].filter(([raw]) => come.has(raw))));
  await repo.write('refresh index', ['update-index', '-q', '--refresh'], { index, okCodes: [0, 1] });
}
