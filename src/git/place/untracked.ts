// Copies untracked files into a second working tree. Follows no link, which could lead anywhere.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, makeLink, setMode } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { nameOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { readEntry } from '../tree/entry.ts';
import { readFlags } from '../tree/flags.ts';

/** Also ignored ones; raw names. A glob without a slash matches in any folder. */
export async function findUntracked(repo: Repo, globs: readonly string[]): Promise<readonly string[]> {
  if (globs.length === 0) return [];
  return splitNul(await repo.bytes(['ls-files', '-z', '--others', '--', ...specsOf(globs)]));
}

/** Like `findUntracked`, but a folder without tracked files is one name. */
export async function listClonable(repo: Repo, globs: readonly string[]): Promise<readonly string[]> {
  if (globs.length === 0) return [];
  const found = await repo.bytes(['ls-files', '-z', '--others', '--directory', '--', ...specsOf(globs)]);
  return splitNul(found).map((raw) => nameOf(raw).replace(/\/$/, ''));
}

/** Itself, and everything in a folder of that name. */
function specsOf(globs: readonly string[]): readonly string[] {
  return globs.flatMap((glob) => {
    const plain = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    const spec = `:(top,glob)${glob.replace(/\/$/, '').includes('/') ? '' : '**/'}${plain}`;
    return [spec, `${spec}/**`];
  });
}

/** A dozen names that neither the last commit nor the other tree has, even if git ignores them. */
export async function listBeside(repo: Repo, other: string): Promise<readonly string[]> {
  const listed = splitNul(await repo.bytes(['ls-files', '-z', '--others', '--directory']));
  const others = listed.filter((raw) => !existsSync(path.join(other, nameOf(raw))));
  const flags = await readFlags(repo);
  const names = [...flags.keys(), ...others].map(nameOf);
  const more = names.length > 12 ? [`and ${names.length - 12} more`] : [];
  return [...names.slice(0, 12), ...more];
}

/** Raw name. An existing file stays; true if it was copied. */
export function copyBelow(from: string, to: string, raw: string): boolean {
  const name = nameOf(raw);
  const entry = readEntry(path.join(from, name));
  if (entry.kind !== 'file' && entry.kind !== 'link') return false;
  if (!isPlainFolder(from, path.dirname(name)))
    throw new Failure('environment', `${name} is behind a link in ${from}, so it is not copied`);
  const target = path.join(to, name);
  if (lstatSync(target, { throwIfNoEntry: false })) return false;
  makeFoldersBelow(to, path.dirname(name));
  if (entry.kind === 'link') makeLink(entry.target, target);
  else {
    writeFileAtomic(target, entry.bytes, entry.mode);
    setMode(target, entry.mode);
  }
  return true;
}

/** A link or file on the way throws a Failure. */
export function makeFoldersBelow(root: string, folder: string): void {
  for (let at = 0, parts = folder.split('/'); at < parts.length && folder !== '.'; at += 1) {
    const each = path.join(root, ...parts.slice(0, at + 1));
    const stat = lstatSync(each, { throwIfNoEntry: false });
    if (!stat) makeFolder(each);
    else if (!stat.isDirectory())
      throw new Failure('environment', `${each} is not a folder, so nothing is written in it`);
  }
}

/** No link leads there. */
function isPlainFolder(root: string, folder: string): boolean {
  return orElse(() => realpathSync(path.join(root, folder)) === path.join(realpathSync(root), folder), false);
}
