// A git folder for programs that must not reach the repository's: borrowed objects, its own refs, index and config.
// pawl runs no git there and reads nothing back.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { copyFile, removeOwnFolder } from '../disk.ts';
import { readHead, readHeadCommit } from '../git/protect/snapshot.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { listRefs, writeGitFolder } from './git-folder.ts';
import { formatCore, formatSetting } from './settings.ts';

/** An object folder, and where it must appear. */
export type Borrowed = Readonly<{ from: string; to: string }>;

/** What to mount over `.git`. */
export type PrivateGit = Readonly<{
  /** Everything in it may be changed. */
  folder: string;
  /** A linked working tree's `.git` file, which points to the folder. */
  linkFile?: string;
  borrowed: readonly Borrowed[];
}>;

export type PrivatePaths = Readonly<{ objects: string; git: string }>;

/** HEAD, refs and index are as now; the config runs nothing; no hooks, no remotes. */
export async function makePrivateGit(repo: Repo, folder: string, paths: PrivatePaths): Promise<PrivateGit> {
  removeOwnFolder(folder);
  const { branch } = readHead(repo);
  writeGitFolder(repo, folder, {
    objects: paths.objects,
    head: branch === undefined ? `${await readHeadCommit(repo)}\n` : `ref: refs/heads/${branch}\n`,
    config: privateConfig(await repo.git(['config', '--list', '-z'])),
    refs: await listRefs(repo),
  });
  const index = path.join(repo.gitDir, 'index');
  if (existsSync(index)) copyFile(index, path.join(folder, 'index'));
  const borrowed = borrowedBy(path.join(repo.commonDir, 'objects'), paths.objects);
  if (statSync(path.join(repo.root, '.git')).isDirectory()) return { folder, borrowed };
  const linkFile = `${folder}.link`;
  writeFileUnsynced(linkFile, `gitdir: ${paths.git}\n`);
  return { folder, linkFile, borrowed };
}

/** How files are read and written, and who commits; nothing that runs or redirects anything. */
const kept =
  /^(core\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|longpaths)|extensions\.objectformat|user\.(name|email)|init\.defaultbranch)$/;

/** From git's list of all effective settings, in which later ones win. Git folders of submodules are not there. */
export function privateConfig(listed: string): string {
  const settings = new Map<string, string>();
  for (const entry of listed.split('\0')) {
    const [key = '', ...value] = entry.split('\n');
    // A key without a value, as in `[core] autocrlf`, is switched on.
    if (kept.test(key)) settings.set(key, value.length === 0 ? 'true' : value.join('\n'));
  }
  const format = settings.get('extensions.objectformat');
  settings.delete('extensions.objectformat');
  const others = [...settings.set('diff.ignoresubmodules', 'dirty')].map((each) => formatSetting(...each));
  return formatCore(format) + others.join('');
}

/** An object folder may borrow from others; a relative path stays relative. */
function borrowedBy(from: string, to: string): readonly Borrowed[] {
  const file = path.join(from, 'info', 'alternates');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const further = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ from: path.resolve(from, line), to: path.resolve(to, line) }))
    .filter((each) => existsSync(each.from));
  return [{ from: realpathSync(from), to }, ...further.flatMap((each) => borrowedBy(each.from, each.to))];
}
