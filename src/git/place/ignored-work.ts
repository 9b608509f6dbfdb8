// What git ignores in a second tree and exists nowhere else, except packages and marked caches: they can be recreated.
import { existsSync } from 'node:fs';
import { fewOf, foldersOf, nameOf, pathOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { isSameEntry, readEntry, statAt } from '../tree/entry.ts';
import { isInstalled, remember } from '../tree/installed.ts';

export type IgnoredWork = Readonly<{
  /** Raw names. */
  files: readonly string[];
  /** The same, with whole folders combined. */
  tops: readonly string[];
  /** Nested ones, each with a trailing slash. */
  repositories: readonly string[];
  bytes: number;
}>;

/** `from`: the tree whose untracked files were copied. */
export async function findIgnoredWork(tree: Repo, from: string): Promise<IgnoredWork> {
  const canBeMade = remember((name) => isInstalled(tree.root, name) || isCache(tree.root, name));
  const isWork = (raw: string) => ![...foldersOf(raw), raw.replace(/\/$/, '')].some(canBeMade);
  const tops = await listIgnored(tree, ['--directory']);
  const others = tops.filter((raw) => !isWork(raw)).map((raw) => `:(top,exclude,literal)${nameOf(raw)}`);
  const found = tops.length === others.length ? [] : await listIgnored(tree, ['--', ':/', ...others]);
  const kept = found.filter((raw) => isWork(raw) && !isCopy(tree.root, from, raw));
  const files = kept.filter((raw) => !raw.endsWith('/'));
  return {
    files,
    tops: tops
      .filter((top) => files.some((raw) => raw.startsWith(top)))
      .map((raw) => nameOf(raw).replace(/\/$/, '')),
    repositories: kept.filter((raw) => raw.endsWith('/')).map(nameOf),
    bytes: files.reduce((sum, raw) => sum + (statAt(tree.root, raw)?.size ?? 0), 0),
  };
}

/** Bytes; more than this is not copied, and the tree stays. */
const mostIgnored = 100 * 1024 * 1024;

/** Why it cannot be saved. */
export function judgeIgnored({ repositories, bytes, tops }: IgnoredWork): string | undefined {
  if (repositories.length > 0) return `it contains a nested repository: ${fewOf(repositories)}`;
  if (bytes <= mostIgnored) return undefined;
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return `${size} of ignored files is too much to save: ${fewOf(tops)}`;
}

async function listIgnored(tree: Repo, args: readonly string[]): Promise<readonly string[]> {
  return splitNul(
    await tree.bytes(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', ...args]),
  );
}

function isCache(root: string, folder: string): boolean {
  return existsSync(pathOf(root, `${folder}/CACHEDIR.TAG`));
}

/** Raw name; `from`: the tree it may come from. */
export function isCopy(root: string, from: string, raw: string): boolean {
  const here = readEntry(pathOf(root, raw));
  return (here.kind === 'file' || here.kind === 'link') && isSameEntry(here, readEntry(pathOf(from, raw)));
}
