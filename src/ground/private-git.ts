// A git folder for programs that must not reach the repository's: borrowed objects, its own refs, index and config.
// pawl runs no git there and reads nothing back.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { copyFile, makeFolder, removeOwnFolder } from '../disk.ts';
import { readHead, readHeadCommit } from '../git/protect/snapshot.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { formatPacked, listRefs } from './git-folder.ts';
import { formatSetting } from './settings.ts';

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
  for (const name of ['objects/info', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    makeFolder(path.join(folder, name));
  const put = (name: string, text: string) => writeFileUnsynced(path.join(folder, name), text);
  const { branch } = readHead(repo);
  put('HEAD', branch === undefined ? `${await readHeadCommit(repo)}\n` : `ref: refs/heads/${branch}\n`);
  put('packed-refs', formatPacked(await listRefs(repo)));
  put('config', privateConfig(await repo.git(['config', '--list', '-z'])));
  put('objects/info/alternates', `${paths.objects}\n`);
  const index = path.join(repo.gitDir, 'index');
  if (existsSync(index)) copyFile(index, path.join(folder, 'index'));
  for (const name of ['shallow', 'info/exclude']) {
    const file = path.join(repo.commonDir, name);
    if (existsSync(file)) put(name, readFileSync(file, 'utf8'));
  }
  const borrowed = borrowedBy(path.join(repo.commonDir, 'objects'), paths.objects);
  if (statSync(path.join(repo.root, '.git')).isDirectory()) return { folder, borrowed };
  const linkFile = `${folder}.link`;
  writeFileUnsynced(linkFile, `gitdir: ${paths.git}\n`);
  return { folder, linkFile, borrowed };
}

/** How files are read and written, and who commits; nothing that runs or redirects anything. */
const kept =
  /^(core\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|longpaths)|extensions\.objectformat|user\.(name|email)|init\.defaultbranch)$/;

/** From git's list of all effective settings, in which later ones win. */
export function privateConfig(listed: string): string {
  const settings = new Map<string, string>();
  for (const entry of listed.split('\0')) {
    const [key = '', ...value] = entry.split('\n');
    if (kept.test(key)) settings.set(key, value.join('\n'));
  }
  const version = settings.has('extensions.objectformat') ? '1' : '0';
  const own = { 'core.repositoryformatversion': version, 'core.bare': 'false', 'gc.auto': '0' };
  return Object.entries({ ...own, ...Object.fromEntries(settings) })
    .map(([key, value]) => formatSetting(key, value))
    .join('');
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
