// Writes a tree with one file's content replaced: the plan with its ticks.

import { rawOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from '../tree/entry.ts';
import { putEntries, writeIndexTree } from '../tree/index-file.ts';

/** The index keeps that content until the next `writeTree` reads the work tree again. */
export async function withFile(
  repo: Repo,
  index: string,
  file: string,
  content: Uint8Array,
): Promise<string> {
  const raw = rawOf(file);
  const mode = ((statAt(repo.root, raw)?.mode ?? 0) & 0o100) !== 0 ? '100755' : '100644';
  const blob = await hashFile(repo, file, content);
  await putEntries(repo, index, [`${mode} ${blob} 0\t${raw}`]);
  return writeIndexTree(repo, index);
}

/** With git's line endings and filters. */
async function hashFile(repo: Repo, file: string, content: Uint8Array): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', `--path=${file}`];
  return (await repo.write('write file', args, { input: content })).trim();
}
