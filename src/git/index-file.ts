// Index files: pawl's own ones, kept beside the run so that stat information stays warm, and how entries get in and
// out of an index. It decides nothing about files.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { copyFile, makeFolder, removeFile } from '../effect.ts';
import { joinNul } from './names.ts';
import type { Repo } from './repo.ts';
import { readFlags } from './snapshot.ts';

/** Makes sure an index file of pawl's own exists: the repository's, set to a tree (undefined: to nothing), with no file hidden from it. A lock that a dead git left is removed. */
export async function readyIndex(repo: Repo, index: string, treeish: string | undefined): Promise<void> {
  removeLock(index);
  if (existsSync(index)) return;
  makeFolder(path.dirname(index));
  const made = `${index}.new`;
  removeLock(made);
  copyIndex(path.join(repo.gitDir, 'index'), made);
  const base = treeish === undefined ? ['--empty'] : ['--reset', treeish];
  await repo.write('own index', ['read-tree', ...base], { index: made });
  const flagged = await readFlags(repo, made);
  const isSparse = [...flagged.values()].includes('S') && (await hasSparseCheckout(repo));
  const hidden = [...flagged].filter(([, tag]) => !(isSparse && tag === 'S')).map(([raw]) => raw);
  if (hidden.length > 0) await clearFlags(repo, hidden, made);
  copyIndex(made, index);
  removeFile(made);
}

/** Copies an index file; a missing one leaves none. */
export function copyIndex(from: string, to: string): void {
  if (existsSync(from)) copyFile(from, to);
}

/** Takes files into an index as they are in the work tree: new, changed, gone, a file where a folder was. Raw names. */
export async function stageFiles(repo: Repo, index: string, raws: readonly string[]): Promise<void> {
  if (raws.length === 0) return;
  await repo.write('stage', ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
    index,
    input: joinNul(raws),
  });
}

/** Takes entries out of an index, whatever the work tree holds. Raw names. */
export async function unstageFiles(repo: Repo, index: string, raws: readonly string[]): Promise<void> {
  if (raws.length === 0) return;
  await repo.write('unstage', ['update-index', '-z', '--force-remove', '--stdin'], {
    index,
    input: joinNul(raws),
  });
}

/** Writes an index as a tree; its object id. */
export async function writeIndexTree(repo: Repo, index: string): Promise<string> {
  return (await repo.write('write tree', ['write-tree'], { index })).trim();
}

/** Makes git look at these files again; raw names. */
export async function clearFlags(repo: Repo, raws: readonly string[], index?: string): Promise<void> {
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree'])
    await repo.write('clear index flags', ['update-index', '-z', flag, '--stdin'], {
      input: joinNul(raws),
      ...(index === undefined ? {} : { index }),
    });
}

/** Does something with a throw-away copy of an index. */
export async function withCopy<T>(
  index: string,
  suffix: string,
  act: (copy: string) => Promise<T>,
): Promise<T> {
  const copy = `${index}.${suffix}`;
  makeFolder(path.dirname(copy));
  removeLock(copy);
  removeFile(copy);
  copyIndex(index, copy);
  try {
    return await act(copy);
  } finally {
    removeFile(copy);
  }
}

/** One index file of pawl's has one user at a time: a lock found before its first command is a dead git's. */
function removeLock(index: string): void {
  if (existsSync(`${index}.lock`)) removeFile(`${index}.lock`);
}

async function hasSparseCheckout(repo: Repo): Promise<boolean> {
  const value = await repo.git(['config', '--type=bool', '--get', 'core.sparseCheckout'], {
    okCodes: [0, 1],
  });
  return value.trim() === 'true';
}
