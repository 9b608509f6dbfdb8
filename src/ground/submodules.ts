// Finds a submodule's clone in the first tree, so that a ground needs no network.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { splitNul } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';

export type Submodule = Readonly<{ name: string; folder: string; commit: string }>;

/** Of what is checked out, nearest first. */
export async function listSubmodules(own: Repo): Promise<readonly Submodule[]> {
  if (!existsSync(path.join(own.root, '.gitmodules'))) return [];
  const listed = await own.bytes(
    ['config', '-z', '-f', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'],
    { okCodes: [0, 1] },
  );
  const text = (raw: string) => Buffer.from(raw, 'latin1').toString('utf8');
  const named = splitNul(listed).map((raw) => text(raw).split('\n') as [string, string]);
  if (named.length === 0) return [];
  const specs = named.map(([, folder]) => `:(top,literal)${folder}`);
  const entries = splitNul(await own.bytes(['ls-files', '-s', '-z', '--', ...specs]));
  return named.flatMap(([key, folder]) => {
    const entry = entries.find((each) => each.startsWith('160000 ') && text(each).endsWith(`\t${folder}`));
    const name = key.slice('submodule.'.length, -'.path'.length);
    return entry === undefined ? [] : { name, folder, commit: entry.split(' ')[1] ?? '' };
  });
}

/** A text: why the person has no clone of it. */
export async function findClone(repo: Repo, { name, folder, commit }: Submodule): Promise<Repo | string> {
  const root = path.join(repo.root, folder);
  const gitDir = [
    readGitDir(root),
    ...[repo.gitDir, repo.commonDir].map((each) => path.join(each, 'modules', name)),
  ].find((each) => each !== undefined && existsSync(path.join(each, 'HEAD')));
  if (gitDir === undefined)
    return `the submodule ${folder} is not checked out in your tree (git submodule update --init)`;
  const commonDir = readCommonDir(gitDir);
  const clone = repo.at(root, { gitDir, commonDir, hooksDir: path.join(commonDir, 'hooks') });
  // git cannot run in a folder that is not there.
  const at = existsSync(root) ? clone : repo.at(gitDir, { gitDir, commonDir, hooksDir: clone.hooksDir });
  const has = await at.git(['cat-file', '-t', commit], { okCodes: [0, 128] });
  return has.trim() === 'commit'
    ? at
    : `your clone of the submodule ${folder} lacks its commit ${commit.slice(0, 12)} (git submodule update)`;
}

/** Also where `.git` is a file; undefined if there is none. */
export function readGitDir(root: string): string | undefined {
  const dotGit = path.join(root, '.git');
  const stat = lstatSync(dotGit, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat?.isDirectory() ? dotGit : undefined;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
  return named === undefined ? undefined : path.resolve(root, named);
}

function readCommonDir(gitDir: string): string {
  const file = path.join(gitDir, 'commondir');
  return existsSync(file) ? path.resolve(gitDir, readFileSync(file, 'utf8').trim()) : gitDir;
}
