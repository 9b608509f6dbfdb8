// Rewrites and removes files of the work tree, once a rescue commit holds them.
import { removeEmptyFolder, removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { foldersOf, joinNul, nameOf, pathOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { findBlocked } from '../tree/entry.ts';

/** As the index has them. Throws Failure('git') before writing if something is in the way. Raw names. */
export async function rewriteFiles(repo: Repo, index: string, raws: readonly string[]): Promise<void> {
  if (raws.length === 0) return;
  for (const raw of raws) {
    const blocked = findBlocked(repo.root, raw);
    if (blocked === undefined) continue;
    throw new Failure('git', `nothing was restored: ${nameOf(blocked)} is in the way of ${nameOf(raw)}`, {
      hint: `Move ${nameOf(blocked)} away and try again.`,
    });
  }
  await repo.write('rewrite files', ['checkout-index', '-f', '-u', '-z', '--stdin'], {
    index,
    input: joinNul(raws),
  });
}

export function removeFiles(repo: Repo, raws: readonly string[]): void {
  const folders = new Set<string>();
  for (const raw of raws) {
    removeFile(pathOf(repo.root, raw));
    for (const folder of foldersOf(raw)) folders.add(folder);
  }
  const deepestFirst = [...folders].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) removeEmptyFolder(pathOf(repo.root, folder));
}
