// git-lfs in a ground: content comes from and goes to the repository's own storage, where a landed commit needs it.
// Nothing is downloaded.
import path from 'node:path';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { isStoredElsewhere } from '../git/tree/stored-elsewhere.ts';

/** False if nothing is kept there. */
export async function shareStorage(repo: Repo, own: Repo): Promise<boolean> {
  if (!(await isStoredElsewhere(repo))) return false;
  const set = (await repo.git(['config', '--get', 'lfs.storage'], { okCodes: [0, 1] })).replace(/\n$/, '');
  const storage = path.resolve(repo.commonDir, set === '' ? 'lfs' : set);
  await own.write('storage of ground', ['config', 'lfs.storage', storage]);
  return true;
}

/** Returns what lacks its content, in words. */
export async function fillPointers(own: Repo): Promise<readonly string[]> {
  try {
    await own.write('fill pointers', ['lfs', 'checkout'], { index: path.join(own.gitDir, 'index') });
  } catch {
    return ['git-lfs is not installed, so its files are pointers'];
  }
  const listed = await own.git(['lfs', 'ls-files']);
  const absent = [...listed.matchAll(/^[0-9a-f]+ - (.+)$/gm)].map(([, name]) => name ?? '');
  const text = `your repository’s git-lfs storage lacks the content of ${fewOf(absent)} (git lfs fetch)`;
  return absent.length === 0 ? [] : [text];
}
