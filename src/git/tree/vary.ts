// Trees that differ from another in some files. Touches neither the working tree nor the repository's index.
import path from 'node:path';
import { removeFile } from '../../disk.ts';
import { rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from './entry.ts';
import { putEntries, setIndex, writeIndexTree } from './index-file.ts';
import { nothingIn, parseEntries, type TreeEntry } from './tree-entry.ts';

export type TreeFile = TreeEntry | Readonly<{ mode: string; text: string }>;

/** Undefined: the file is missing. */
export type Variant = ReadonlyMap<string, TreeFile | undefined>;

export async function varyTree(repo: Repo, tree: string, variant: Variant): Promise<string> {
  const index = path.join(repo.gitDir, 'pawl-variant-index');
  try {
    await setIndex(repo, tree, index);
    const entries: Parameters<typeof putEntries>[2][number][] = [];
    for (const [file, at] of variant) entries.push({ raw: rawOf(file), ...(await entryOf(repo, at, tree)) });
    await putEntries(repo, index, entries);
    return await writeIndexTree(repo, index);
  } finally {
    removeFile(index);
  }
}

async function entryOf(repo: Repo, at: TreeFile | undefined, tree: string): Promise<TreeEntry> {
  if (!at) return nothingIn(tree);
  if ('oid' in at) return at;
  const oid = await repo.write('write file', ['hash-object', '-w', '--stdin'], { input: at.text });
  return { mode: at.mode, oid: oid.trim() };
}

/** Undefined also for a folder or a submodule. */
export async function findInTree(repo: Repo, tree: string, file: string): Promise<TreeEntry | undefined> {
  const listed = await repo.bytes(['ls-tree', '-z', tree, '--', `:(top,literal)${file}`]);
  return parseEntries(listed).find(({ kind }) => kind === 'blob');
}

/** The index keeps that content until the next `writeTree` reads the work tree again. */
export async function withFile(
  repo: Repo,
  index: string,
  file: string,
  content: Uint8Array,
): Promise<string> {
  const raw = rawOf(file);
  const mode = ((statAt(repo.root, raw)?.mode ?? 0) & 0o100) !== 0 ? '100755' : '100644';
  // With git's line endings and filters.
  const args = ['hash-object', '-w', '--stdin', `--path=${file}`];
  const oid = (await repo.write('write file', args, { input: content })).trim();
  await putEntries(repo, index, [{ raw, mode, oid }]);
  return writeIndexTree(repo, index);
}
