// A working tree whose own git cannot be used any more, usually because its repository was cloned again at the same path.
// Its files are saved in the repository that is there before it is removed.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile, removeOwnFolder } from '../../disk.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { Slot } from './slot.ts';

/** Whether the git folder that a working tree names no longer exists. */
export function isOfLostRepository(tree: string): boolean {
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(path.join(tree, '.git'), 'utf8')) ?? [];
    if (named === undefined) return false;
    return !lstatSync(path.resolve(tree, named.trim()), { throwIfNoEntry: false });
  } catch {
    return false;
  }
}

/** Where the files of such a tree are saved, or why it stays. */
type Saved = Readonly<{ ref: string }> | Readonly<{ why: string }>;

/** Saves its files and removes it. */
export async function removeLost(repo: Repo, slot: Slot & Readonly<{ tree: string }>): Promise<Saved> {
  const { tree, number } = slot;
  const saved = await saveFiles(repo, { tree, name: `${path.basename(tree)}-${number}` });
  if ('ref' in saved) removeOwnFolder(slot.folder);
  return saved;
}

/** Saves its files as a rescue in the repository, under a name that tells whose they were. */
export async function saveFiles(
  repo: Repo,
  { tree, name }: Readonly<{ tree: string; name: string }>,
): Promise<Saved> {
  const index = path.join(repo.commonDir, 'pawl', 'gone.index');
  removeFile(index);
  try {
    const { ref, notHeld } = await saveRescue(repo.at(tree, repo), {
      run: `gone-${name}`,
      reason: `files of ${tree}, whose repository is gone`,
      index,
      include: ['.env*'],
      maxFileMb: 1_000,
    });
    const unsaved = notHeld.map(({ file }) => file);
    if (unsaved.length > 0)
      return { why: `its repository is gone, and ${ref} does not hold ${fewOf(unsaved)} of it` };
    return { ref };
  } finally {
    removeFile(index);
  }
}
