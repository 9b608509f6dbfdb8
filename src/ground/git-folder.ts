// A ground's git folder: its own refs, index and settings, and borrowed objects.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { copyFile, makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { copySettings, formatCore } from './settings.ts';

/** Names the first tree. */
export const groundMark = 'pawl-ground';

/** `objects`: the folder that it borrows from. */
type FolderText = Readonly<{ objects: string; head: string; config: string; refs: readonly ListedRef[] }>;

/** Written without git, so that no template and no setting of anybody's takes part. */
export function writeGitFolder(
  repo: Repo,
  folder: string,
  { objects, head, config, refs }: FolderText,
): void {
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    makeFolder(path.join(folder, name));
  const put = (name: string, text: string) => writeFileUnsynced(path.join(folder, name), text);
  put('HEAD', head);
  put('config', config);
  put('packed-refs', refs.map(({ oid, ref }) => `${oid} ${ref}\n`).join(''));
  put('objects/info/alternates', `${objects}\n`);
  for (const name of ['shallow', 'info/exclude', 'info/attributes']) {
    const from = path.join(repo.commonDir, name);
    if (existsSync(from)) put(name, readFileSync(from, 'utf8'));
  }
}

/** On a branch that need not exist. */
export async function makeGitFolder(repo: Repo, own: Repo, branch = 'main'): Promise<void> {
  const objects = path.join(repo.commonDir, 'objects');
  if (objects.includes('\n'))
    throw new Failure('environment', `git cannot share objects by the path ${JSON.stringify(objects)}`, {
      hint: 'Move the repository to a folder without a line break in its name.',
    });
  const format = (await repo.git(['rev-parse', '--show-object-format'])).trim();
  const refs = await listRefs(repo);
  writeGitFolder(repo, own.gitDir, {
    objects,
    refs,
    head: `ref: refs/heads/${branch}\n`,
    config: formatCore(format === 'sha1' ? undefined : format),
  });
  writeFileUnsynced(path.join(own.gitDir, groundMark), repo.root);
  const sparse = path.join(repo.gitDir, 'info/sparse-checkout');
  if (existsSync(sparse)) copyFile(sparse, path.join(own.gitDir, 'info/sparse-checkout'));
  await copySettings(repo, own);
  for (const { ref, target } of refs)
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
