// Whether content is outside git's objects, so that having these is not having the files.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from '../run/repo.ts';

export async function isStoredElsewhere(repo: Repo): Promise<boolean> {
  const marks = ['-e', 'filter=lfs', '-e', 'filter=annex'];
  const files = [':(glob)**/.gitattributes'];
  const found = await repo.git(['grep', '-l', '-F', ...marks, 'HEAD', '--', ...files], { okCodes: [0, 1] });
  const own = path.join(repo.commonDir, 'info', 'attributes');
  return found !== '' || (existsSync(own) && /filter=(lfs|annex)/.test(readFileSync(own, 'utf8')));
}
