// A ground's git folder: its own refs, index and settings, and borrowed objects.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileAtomic, writeFileUnsynced } from '../write-file.ts';
import { copySettings } from './settings.ts';

/** Names the first tree. */
export const groundMark = 'pawl-ground';

/** In an existing folder, everything but a HEAD. */
export async function makeGitFolder(repo: Repo, own: Repo): Promise<void> {
  const format = (await repo.git(['rev-parse', '--show-object-format'])).trim();
  await own.write('init ground', ['init', '-q', '--template=', `--object-format=${format}`]);
  shareObjects(repo, own);
  writeFileUnsynced(path.join(own.gitDir, groundMark), repo.root);
  makeFolder(path.join(own.gitDir, 'info'));
  const files = ['shallow', 'info/exclude', 'info/attributes'];
  for (const name of files) copyText(path.join(repo.commonDir, name), path.join(own.gitDir, name));
  copyText(path.join(repo.gitDir, 'info/sparse-checkout'), path.join(own.gitDir, 'info/sparse-checkout'));
  await copySettings(repo, own);
  await copyRefs(repo, own);
}

function copyText(from: string, to: string): void {
  if (existsSync(from)) writeFileUnsynced(to, readFileSync(from, 'utf8'));
}

function shareObjects(repo: Repo, own: Repo): void {
  const objects = path.join(repo.commonDir, 'objects');
  if (objects.includes('\n'))
    throw new Failure('environment', `git cannot share objects by the path ${JSON.stringify(objects)}`, {
      hint: 'Move the repository to a folder without a line break in its name.',
    });
  writeFileAtomic(path.join(own.gitDir, 'objects', 'info', 'alternates'), `${objects}\n`);
}

async function copyRefs(repo: Repo, own: Repo): Promise<void> {
  const listed = await listRefs(repo);
  writeFileUnsynced(path.join(own.gitDir, 'packed-refs'), formatPacked(listed));
  for (const { ref, target } of listed)
    if (target !== '') await own.write('symbolic ref of ground', ['symbolic-ref', ref, target]);
}

type ListedRef = Readonly<{ oid: string; ref: string; target: string }>;

/** Without pawl's own and those of one working tree; `target`: of a symbolic ref. */
export async function listRefs(repo: Repo): Promise<readonly ListedRef[]> {
  const listed = await repo.git(['for-each-ref', '--format=%(objectname) %(refname) %(symref)']);
  return listed.split('\n').flatMap((line) => {
    const [oid = '', ref = '', target = ''] = line.split(' ');
    return ref === '' || /^refs\/(pawl|bisect|rewritten|worktree)\/|^refs\/stash$/.test(ref)
      ? []
      : { oid, ref, target };
  });
}

export function formatPacked(refs: readonly ListedRef[]): string {
  return refs.map(({ oid, ref }) => `${oid} ${ref}\n`).join('');
}
