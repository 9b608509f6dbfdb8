// Trees that differ from another in some files. Touches neither the working tree nor the repository's index.
import path from 'node:path';
import { removeFile } from '../../disk.ts';
import { nameOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { putEntries, setIndex, writeIndexTree } from './index-file.ts';

/** As a tree has it, or with another text. */
export type TreeFile = Readonly<{ mode: string; oid: string }> | Readonly<{ mode: string; text: string }>;

/** Undefined: the file is missing. */
export type Variant = ReadonlyMap<string, TreeFile | undefined>;

export async function varyTree(repo: Repo, tree: string, variant: Variant): Promise<string> {
  const index = path.join(repo.gitDir, 'pawl-variant-index');
  try {
    await setIndex(repo, tree, index);
    const lines: string[] = [];
    for (const [file, at] of variant) lines.push(`${await entryOf(repo, at, tree)}\t${rawOf(file)}`);
    await putEntries(repo, index, lines);
    return await writeIndexTree(repo, index);
  } finally {
    removeFile(index);
  }
}

async function entryOf(repo: Repo, at: TreeFile | undefined, tree: string): Promise<string> {
  if (!at) return `0 ${'0'.repeat(tree.length)}`;
  if ('oid' in at) return `${at.mode} ${at.oid}`;
  const oid = await repo.write('write file', ['hash-object', '-w', '--stdin'], { input: at.text });
  return `${at.mode} ${oid.trim()}`;
}

/** Undefined also for a folder or a submodule. */
export async function findInTree(
  repo: Repo,
  tree: string,
  file: string,
): Promise<Readonly<{ mode: string; oid: string }> | undefined> {
  const [line] = splitNul(await repo.bytes(['ls-tree', '-z', tree, '--', `:(top,literal)${file}`]));
  const [, mode, oid] = /^(\d+) blob (\w+)\t/.exec(line === undefined ? '' : nameOf(line)) ?? [];
  return mode === undefined || oid === undefined ? undefined : { mode, oid };
}
