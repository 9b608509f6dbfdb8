// Whether a submodule's files match its commit, without running git there, where the agent can write the config.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { effect } from '../../effect.ts';
import { splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { readEntry } from './entry.ts';
import { parseStatus } from './status.ts';

/** `changed`: named from the root; both raw. */
export type DirtySubmodule = Readonly<{ file: string; changed: readonly string[] }>;

export async function findDirtySubmodules(repo: Repo, index: string): Promise<readonly DirtySubmodule[]> {
  if (!existsSync(path.join(repo.root, '.gitmodules'))) return [];
  const dirty: DirtySubmodule[] = [];
  for (const record of splitNul(await repo.bytes(['ls-files', '-s', '-z'], { index }))) {
    const [, mode, oid, file] = /^(\d+) ([0-9a-f]+) \d\t([\s\S]*)$/.exec(record) ?? [];
    if (mode !== '160000' || oid === undefined || file === undefined) continue;
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
  const gitDir = gitFolderOf(root);
  // If it is not checked out, anything there is somebody's work.
  if (gitDir === undefined) return readEntry(root).kind === 'folder' ? readdirSync(root) : [];
  const env = {
    GIT_WORK_TREE: root,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(gitDir, 'objects'),
  };
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

/** Where its objects are; undefined if it is not checked out. */
function gitFolderOf(root: string): string | undefined {
  const dotGit = path.join(root, '.git');
  const entry = readEntry(dotGit);
  if (entry.kind !== 'file') return existsSync(path.join(dotGit, 'objects')) ? dotGit : undefined;
  const target = /^gitdir: (.*?)\n?$/s.exec(entry.bytes.toString('utf8'))?.[1];
  return target === undefined ? undefined : path.resolve(root, target);
}
