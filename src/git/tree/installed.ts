// New files where package managers and compilers put theirs: in no commit, unless the repository already has some.
import { existsSync } from 'node:fs';
import { matchesAny } from '../../glob.ts';
import { foldersOf, nameOf, pathOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import type { TreeRules } from './choose-files.ts';
import type { StatusEntry } from './status.ts';

const names = new Set([
  'node_modules',
  '.pnpm-store',
  '__pycache__',
  '.venv',
  '.tox',
  '.gradle',
  '.terraform',
]);

/** The folder of each such file, by raw names; runs git only if there is one. */
export async function findInstalled(
  repo: Repo,
  entries: readonly StatusEntry[],
  rules: TreeRules,
): Promise<ReadonlyMap<string, string>> {
  const isFilled = remember((folder) => isInstalled(repo.root, folder));
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (!isNew(entry) || matchesAny(entry.file, rules.include)) continue;
    const folder = foldersOf(entry.raw).find(isFilled);
    if (folder !== undefined) found.set(entry.raw, folder);
  }
  if (found.size === 0) return found;
  const usual = await readUsual(repo);
  return new Map(
    [...found]
      .filter(([, folder]) => !usual.has(baseOf(folder)))
      .map(([raw, folder]) => [raw, nameOf(folder)]),
  );
}

/** Whether package managers or compilers fill it; raw name. */
export function isInstalled(root: string, folder: string): boolean {
  return names.has(baseOf(folder)) || existsSync(pathOf(root, `${folder}/pyvenv.cfg`));
}

export function remember(judge: (folder: string) => boolean): typeof judge {
  const known = new Map<string, boolean>();
  return (folder) => {
    const now = known.get(folder) ?? judge(folder);
    known.set(folder, now);
    return now;
  };
}

function isNew({ kind, staged, work }: StatusEntry): boolean {
  return work !== 'D' && (kind === 'untracked' || (kind === 'tracked' && staged === 'A'));
}

/** Last path segments of folders in HEAD. */
async function readUsual(repo: Repo): Promise<ReadonlySet<string>> {
  const folders = splitNul(
    await repo.bytes(['ls-tree', '-r', '-d', '-z', '--name-only', '--full-tree', 'HEAD']),
  );
  return new Set(folders.map(baseOf));
}

function baseOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}
