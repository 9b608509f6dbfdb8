// Finds and removes named pipes where git expects a file, without git: it would wait forever for a writer.
import { lstatSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { removeFile } from '../../disk.ts';
import { nameOf, pathOf } from '../run/names.ts';
import { listFolder } from './entry.ts';

/**
 * Removes them from a work tree, except in its own git folder; returns their names. Pipes of other names are their owner's
 * business.
 */
export async function removePipes(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let folders: readonly string[] = [''];
  while (folders.length > 0) {
    const looked = await Promise.all(folders.slice(0, atOnce).map((folder) => lookInto(root, folder)));
    found.push(...looked.flatMap(({ pipes }) => pipes));
    folders = [...looked.flatMap((each) => each.folders), ...folders.slice(atOnce)];
  }
  for (const raw of found) removeFile(pathOf(root, raw));
  return found.map(nameOf);
}

const atOnce = 32;

/** Removes those that stand for git's own index, packed refs and logs; returns their names. Without such a file git goes on. */
export function removeGitPipes({
  gitDir,
  commonDir,
}: Readonly<{ gitDir: string; commonDir: string }>): readonly string[] {
  const found = [...new Set([gitDir, commonDir])].flatMap((folder) => {
    const logs = listFolder(path.join(folder, 'logs'), mostLogs).map((name) => path.join('logs', name));
    return ['index', 'packed-refs', ...logs]
      .filter((name) => isPipe(path.join(folder, name), { follow: true }))
      .map((name) => ({ name, file: path.join(folder, name) }));
  });
  for (const { file } of found) removeFile(file);
  return found.map(({ name }) => path.join('.git', name));
}

const mostLogs = 1000;

type Looked = Readonly<{ folders: readonly string[]; pipes: readonly string[] }>;

/** By raw names: a folder's name may not be valid text. */
async function lookInto(root: string, folder: string): Promise<Looked> {
  const options = { withFileTypes: true, encoding: 'latin1' } as const;
  const entries = await readdir(pathOf(root, folder), options).catch(() => []);
  const isOfGit = folder.split('/').includes('.git');
  const rawOf = (name: string) => (folder === '' ? name : `${folder}/${name}`);
  const isRead = (name: string) => isOfGit || read.has(name);
  return {
    folders: entries
      .filter((entry) => entry.isDirectory() && !(folder === '' && entry.name === '.git'))
      .map(({ name }) => rawOf(name)),
    pipes: entries
      .filter((entry) => (entry.isFIFO() || entry.isSymbolicLink()) && isRead(entry.name))
      .map(({ name }) => rawOf(name))
      .filter((raw) => isPipe(pathOf(root, raw), { follow: isOfGit })),
  };
}

/** Names that git opens in any folder of a work tree, besides everything in a folder `.git`. */
const read: ReadonlySet<string> = new Set([
  '.git',
  '.gitignore',
  '.gitattributes',
  '.gitmodules',
  '.mailmap',
]);

function isPipe(file: string | Buffer, { follow }: Readonly<{ follow: boolean }>): boolean {
  try {
    return (follow ? statSync(file) : lstatSync(file)).isFIFO();
  } catch {
    return false;
  }
}
