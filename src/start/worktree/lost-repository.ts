// A working tree whose repository is gone, usually because it was cloned again at the same path. Its files are saved in the
// new repository before it is removed.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile, removeOwnFolder } from '../../disk.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { Slot } from './slot.ts';

/** Whether the git folder that a working tree names is not there any more. */
export function isOfLostRepository(tree: string): boolean {
  try {
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(path.join(tree, '.git'), 'utf8')) ?? [];
    if (named === undefined) return false;
    return !lstatSync(path.resolve(tree, named.trim()), { throwIfNoEntry: false });
  } catch {
    return false;
  }
}

/** Saves its files as a rescue of the repository and removes it; returns the saved commit's ref, or why it stays. */
export async function removeLost(
  repo: Repo,
  slot: Slot & Readonly<{ tree: string }>,
): Promise<Readonly<{ ref: string }> | Readonly<{ why: string }>> {
  const index = path.join(repo.commonDir, 'pawl', 'gone.index');
  removeFile(index);
  try {
    const { ref, notHeld } = await saveRescue(repo.at(slot.tree, repo), {
      run: `gone-${path.basename(slot.tree)}-${slot.number}`,
      reason: `files of ${slot.tree}, whose repository is gone`,
      index,
      include: ['.env*'],
      maxFileMb: 1_000,
    });
    const unsaved = notHeld.map(({ file }) => file);
    if (unsaved.length > 0)
      return { why: `its repository is gone, and ${ref} does not hold ${fewOf(unsaved)} of it` };
    removeOwnFolder(slot.folder);
    return { ref };
  } finally {
    removeFile(index);
  }
}
