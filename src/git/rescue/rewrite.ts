// Rewrites and removes files of the work tree, once a rescue commit holds them.
import { removeEmptyFolder, removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { fewOf, foldersOf, joinNul, nameOf, pathOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { findBlocked, statAt } from '../tree/entry.ts';
import { setIndex, withCopy } from '../tree/index-file.ts';
import { readStatus } from '../tree/status.ts';
import { findInexact, readExact } from './exact-files.ts';

/** Throws Failure('git') unless the rescue holds each as it is now; missing files need not be. Raw names. */
export async function assertHeld(
  repo: Repo,
  found: Readonly<{ index: string; rescue: string; raws: readonly string[] }>,
): Promise<void> {
  const present = found.raws.filter((raw) => isFile(repo, raw));
  if (present.length === 0) return;
  const [held, { entries }] = await withCopy(found.index, 'held', async (index) => {
    await setIndex(repo, found.rescue, index);
    return Promise.all([repo.bytes(['ls-files', '-z'], { index }), readStatus(repo, { index })]);
  });
  const known = new Set(splitNul(held));
  for (const entry of entries) if (entry.work !== '.') known.delete(entry.raw);
  const exact = await readExact(repo, found.rescue);
  for (const { file } of exact) known.add(rawOf(file));
  for (const { file } of findInexact(repo, exact)) known.delete(rawOf(file));
  const unheld = present.filter((raw) => !known.has(raw));
  if (unheld.length === 0) return;
  throw new Failure('git', `nothing was restored: ${fewOf(unheld.map(nameOf))} would be lost`, {
    hint: 'Move these files away, and try again.',
  });
}

/** As the index has them. If something is in the way, throws Failure('git') before anything is written. Raw names. */
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

/** What is behind a symlink does not count. */
function isFile(repo: Repo, raw: string): boolean {
  if (!foldersOf(raw).every((folder) => statAt(repo.root, folder)?.isDirectory())) return false;
  const stat = statAt(repo.root, raw);
  return stat !== undefined && !stat.isDirectory();
}
