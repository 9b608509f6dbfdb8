// Trees that differ from another in some files, for experiments. Touches neither the working tree nor the repository's index.
import { removeFile } from '../../disk.ts';
import { nameOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { putEntries, setIndex, unstageFiles, writeIndexTree } from './index-file.ts';

/** A file as a tree has it, or with another text; `from` lacks it: it is removed. */
export type PutBack = Readonly<{ file: string; from: string; text?: string }>;

/** A tree with these files as other trees have them. `index`: a scratch index file. */
export async function varyTree(
  repo: Repo,
  { tree, files, index }: Readonly<{ tree: string; files: readonly PutBack[]; index: string }>,
): Promise<string> {
  try {
    await setIndex(repo, tree, index);
    const entries = await Promise.all(files.map((one) => entryOf(repo, one)));
    const gone = files.flatMap(({ file }, at) => (entries[at] === undefined ? [rawOf(file)] : []));
    await unstageFiles(repo, index, gone);
    await putEntries(
      repo,
      index,
      entries.filter((entry) => entry !== undefined),
    );
    return await writeIndexTree(repo, index);
  } finally {
    removeFile(index);
  }
}

async function entryOf(repo: Repo, { file, from, text }: PutBack): Promise<string | undefined> {
  const [line] = splitNul(await repo.bytes(['ls-tree', '-z', from, '--', `:(top,literal)${file}`]));
  const [, mode, oid] = /^(\d+) blob (\w+)\t/.exec(line === undefined ? '' : nameOf(line)) ?? [];
  if (mode === undefined || oid === undefined) return undefined;
  const input = text === undefined ? undefined : Buffer.from(text);
  const blob = input
    ? (await repo.write('write file', ['hash-object', '-w', '--stdin'], { input })).trim()
    : oid;
  return `${mode} ${blob} 0\t${rawOf(file)}`;
}
