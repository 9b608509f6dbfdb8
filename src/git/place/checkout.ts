// A throw-away checkout of a commit, with its own git folder outside the repository: work in it cannot write the user's
// refs, index or files. Objects are shared, not copied.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { writeFileAtomic } from '../../write-file.ts';
import type { Repo } from '../run/repo.ts';

/** What to check out, and which other names it should have. */
export type CheckoutRequest = Readonly<{
  /** Absolute path of a folder of pawl's own; what a killed run left there is removed first. */
  folder: string;
  /** The branch name and commit of its HEAD. */
  branch: string;
  head: string;
  /** Further branches by name, e.g. the base of the diff. */
  branches?: Readonly<Record<string, string>>;
}>;

/** A checkout that can be thrown away. */
export type Checkout = Readonly<{ repo: Repo; remove: () => void }>;

/** Creates a checkout; leaves no folder if it fails. Filters that download (git-lfs) are told not to. */
export async function makeCheckout(repo: Repo, request: CheckoutRequest): Promise<Checkout> {
  const { folder } = request;
  removeOwnFolder(folder);
  makeFolder(folder, 0o700);
  try {
    return { repo: await fill(repo, request), remove: () => removeOwnFolder(folder) };
  } catch (error) {
    removeOwnFolder(folder);
    throw error;
  }
}

async function fill(repo: Repo, { folder, branch, head, branches }: CheckoutRequest): Promise<Repo> {
  const own = repo.at(folder);
  await initCheckout(repo, own);
  const named = { ...branches, [branch]: head };
  const updates = Object.entries(named).map(([name, oid]) => `create refs/heads/${name} ${oid}\n`);
  await own.write('refs of checkout', ['update-ref', '--stdin'], { input: updates.join('') });
  await own.write('HEAD of checkout', ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  await own.write('fill checkout', ['read-tree', '-m', '-u', 'HEAD'], {
    env: { GIT_LFS_SKIP_SMUDGE: '1' },
    index: path.join(own.gitDir, 'index'),
  });
  return own;
}

/** Creates the git folder, set up to find the repository's objects. */
export async function initCheckout(repo: Repo, own: Repo): Promise<void> {
  const format = (await repo.git(['rev-parse', '--show-object-format'])).trim();
  await own.write('init checkout', ['init', '-q', '--template=', `--object-format=${format}`]);
  shareObjects(repo, own);
}

/** By alternates; a shallow history stays shallow. */
function shareObjects(repo: Repo, own: Repo): void {
  const objects = path.join(repo.commonDir, 'objects');
  if (objects.includes('\n'))
    throw new Failure('environment', `git cannot share objects by the path ${JSON.stringify(objects)}`, {
      hint: 'Move the repository to a folder without a line break in its name.',
    });
  writeFileAtomic(path.join(own.gitDir, 'objects', 'info', 'alternates'), `${objects}\n`);
  const shallow = path.join(repo.commonDir, 'shallow');
  if (existsSync(shallow)) writeFileAtomic(path.join(own.gitDir, 'shallow'), readFileSync(shallow));
}
