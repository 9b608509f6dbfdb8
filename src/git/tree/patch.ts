// Trees that a patch makes, without touching the working tree or the repository's index.
import { removeFile } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex, writeIndexTree } from './index-file.ts';

/** Undefined if the patch does not apply. `index`: a scratch file. */
export async function patchTree(
  repo: Repo,
  { tree, patch, index }: Readonly<{ tree: string; patch: string; index: string }>,
): Promise<string | undefined> {
  try {
    await setIndex(repo, tree, index);
    // Whoever writes a patch by hand miscounts its lines.
    const args = ['apply', '--cached', '--recount', '--whitespace=nowarn', '-'];
    const input = patch.endsWith('\n') ? patch : `${patch}\n`;
    await repo.write('apply patch', args, { index, input });
    return await writeIndexTree(repo, index);
  } catch (error) {
    if (asFailure(error)?.code === 'git') return undefined;
    throw error;
  } finally {
    removeFile(index);
  }
}

/** Never through a link. */
export async function checkOutFiles(
  repo: Repo,
  { tree, files, index }: Readonly<{ tree: string; files: readonly string[]; index: string }>,
): Promise<void> {
  if (files.length === 0) return;
  try {
    await setIndex(repo, tree, index);
    const input = files.map((file) => `${file}\0`).join('');
    await repo.write('put files', ['checkout-index', '-f', '-z', '--stdin'], { index, input });
  } finally {
    removeFile(index);
  }
}
