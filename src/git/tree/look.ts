// One look at the work tree, compared with HEAD and an index of pawl's own.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { effect } from '../../effect.ts';
import { orElse } from '../../or-else.ts';
import { commonFolderOf, gitFolderOf } from '../run/git-folder.ts';
import { nameOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { readEntry, statAt } from './entry.ts';
import { readFlags, setFlags } from './flags.ts';
import { answersOf, readyIndex, refresh, setIndex, stagedSince } from './index-file.ts';
import { parseStatus, readStatus, type Status, type StatusEntry } from './status.ts';
import { listIndex, submoduleMode } from './tree-entry.ts';

/** Valid until something writes to the work tree or the index file. */
export type Look = Status &
  Readonly<{
    /** A folder ignored as a whole is one entry with a trailing slash. */
    ignored: readonly StatusEntry[];
    submodules: readonly DirtySubmodule[];
  }>;

/** HEAD at an index's last look, by its file. */
const lastHeads = new Map<string, string | undefined>();

/** The index file is kept, so that only what changed is read. `isNew`: it holds what HEAD holds. */
export async function lookAtTree(repo: Repo, index: string, isNew = !existsSync(index)): Promise<Look> {
  await readyIndex(repo, index, 'HEAD');
  const [{ head, entries: listed }, submodules] = await Promise.all([
    refresh(repo, index, () => readStatus(repo, { index, ignored: true })),
    findDirtySubmodules(repo, index),
  ]);
  if (!isNew && (await isOutdated(repo, listed, lastHeads.get(index) !== head.commit))) {
    await renewIndex(repo, index);
    return lookAtTree(repo, index, true);
  }
  lastHeads.set(index, head.commit);
  if (head.commit !== undefined && listed.every(({ staged }) => staged === '.'))
    answersOf(repo, index).set(stagedSince(head.commit), false);
  const { ignored = [], others: entries = [] } = Object.groupBy(listed, ({ kind }) =>
    kind === 'ignored' ? kind : 'others',
  );
  return { head, entries, ignored, submodules };
}

/** What nothing in the work tree tells is as committed: submodules, modes that git does not look at, what is left out. */
async function renewIndex(repo: Repo, index: string): Promise<void> {
  await setIndex(repo, 'HEAD', index);
  const flags = await readFlags(repo);
  if (flags.size === 0) return;
  const known = new Set((await listIndex(repo, index)).map(({ raw }) => raw));
  await setFlags(repo, index, new Map([...flags].filter(([raw]) => known.has(raw))));
}

/**
 * A person has moved HEAD, or leaves more or less out of the checkout; or a file is back that an earlier tree lacked: git
 * calls it new.
 */
async function isOutdated(repo: Repo, entries: readonly StatusEntry[], isMoved: boolean): Promise<boolean> {
  if (!entries.some(({ kind }) => kind === 'tracked')) return false;
  const flags = await readFlags(repo);
  const isBack = ({ staged, raw }: StatusEntry) =>
    staged === 'D' && statAt(repo.root, raw)?.isDirectory() === false;
  return entries.some((one) => flags.has(one.raw) || isBack(one) || (isMoved && one.staged !== '.'));
}

export function submoduleFiles({ submodules }: Look): readonly string[] {
  return submodules.flatMap(({ changed }) => changed.map(nameOf));
}

/**
 * Not ignored and not in HEAD, in the index or not, and submodules' changed files; a nested repository ends in a slash.
 */
export function newFiles(look: Look): readonly string[] {
  const own = look.entries
    .filter(({ kind, staged, work }) => kind === 'untracked' || (staged === 'A' && work !== 'D'))
    .map(({ file }) => file);
  return [...own, ...submoduleFiles(look)];
}

/** `changed`: named from the root; both raw. */
type DirtySubmodule = Readonly<{ file: string; changed: readonly string[] }>;

async function findDirtySubmodules(repo: Repo, index: string): Promise<readonly DirtySubmodule[]> {
  if (!existsSync(path.join(repo.root, '.gitmodules'))) return [];
  const dirty: DirtySubmodule[] = [];
  for (const { mode, oid, raw: file } of await listIndex(repo, index)) {
    if (mode !== submoduleMode) continue;
    const own = `${index}.${file.replace(/[^A-Za-z0-9]/g, '-')}`;
    const changed = await listChanged(repo, own, { file, oid });
    if (changed.length > 0) dirty.push({ file, changed: changed.map((name) => `${file}/${name}`) });
  }
  return dirty;
}

async function listChanged(
  repo: Repo,
  index: string,
  link: Readonly<{ file: string; oid: string }>,
): Promise<readonly string[]> {
  const root = path.join(repo.root, link.file);
  const objects = orElse(() => objectsOf(root), undefined);
  // If it is not checked out, anything there is somebody's work.
  if (objects === undefined) return readEntry(root).kind === 'folder' ? readdirSync(root) : [];
  const env = { GIT_WORK_TREE: root, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  // Exit 128: the submodule lacks this commit, which status reports.
  const args = ['read-tree', '-i', '--reset', link.oid];
  await effect('git', 'submodule index', () => repo.git(args, { index, env, okCodes: [0, 128] }));
  if (!existsSync(index)) return [];
  const output = await repo.bytes(
    ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames'],
    { index, env },
  );
  return parseStatus(output).flatMap(({ kind, work, raw }) =>
    kind === 'untracked' || work !== '.' ? raw : [],
  );
}

function objectsOf(root: string): string | undefined {
  const gitDir = gitFolderOf(root);
  return gitDir && realpathSync(path.join(commonFolderOf(gitDir), 'objects'));
}
