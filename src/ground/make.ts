// The one maker of working trees beside the first. A ground has its own git folder and everything the first tree has;
// nothing done in it reaches the first, whose clones of submodules and LFS it uses, so that it needs no network.
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { createFolder, makeFolder, removeInPieces, removeOwnFolder } from '../disk.ts';
import { copyBelow, findUntracked } from '../git/place/untracked.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { commonFolderOf, gitFolderOf } from '../git/run/git-folder.ts';
import { fewOf, splitNul } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { fillTree } from '../git/tree/index-file.ts';
import { isStoredElsewhere } from '../git/tree/stored-elsewhere.ts';
import { listIndex, submoduleMode } from '../git/tree/tree-entry.ts';
import { orElse } from '../or-else.ts';
import { writeFileAtomic } from '../write-file.ts';
import { cloneInstalled } from './clone-installed.ts';
import { makeGitFolder } from './git-folder.ts';
import { type Env, findLeadingIn, moveEnv } from './move-text.ts';
import { copyHooks, moveHooks } from './settings.ts';

export type GroundRequest = Readonly<{
  /** Absolute; must not exist yet. */
  folder: string;
  commit: string;
  /** Absent: HEAD is detached. */
  branch?: string | undefined;
  /** Beside the repository's, by full name. */
  refs?: Readonly<Record<string, string>>;
  /** Raw names of untracked files of the first tree. */
  files?: readonly string[];
  copy?: readonly string[];
  clone?: readonly string[];
  /** Aborted: nothing is left of it, and the signal's reason is thrown. */
  signal?: AbortSignal | undefined;
}>;

export type Ground = Readonly<{
  root: string;
  repo: Repo;
  /** What only the first tree has, in words. */
  lacks: readonly string[];
  /** Names that lead into the first tree: what runs through them proves nothing here. */
  leadsBack: readonly string[];
  bytes: number;
  /** Paths into the first tree lead into this one. */
  env(of: Env): Env;
  /** Brings it to another commit: files made here go, installed folders stay. */
  reset(commit: string): Promise<void>;
  drop(): Promise<void>;
}>;

export async function makeGround(repo: Repo, request: GroundRequest): Promise<Ground> {
  const { folder } = request;
  makeFolder(path.dirname(folder), 0o700);
  if (!createFolder(folder, 0o700)) throw new Error(`${folder} exists already`);
  try {
    return await fill(repo, request);
  } catch (error) {
    await removeInPieces(folder);
    throw error;
  }
}

async function fill(
  repo: Repo,
  request: GroundRequest,
  own = groundAt(repo, request.folder),
): Promise<Ground> {
  const { folder, commit, branch, refs = {}, files = [], copy = [], clone = [], signal } = request;
  await makeGitFolder(repo, own, branch);
  const hasPointers = await shareStorage(repo, own);
  for (const [ref, oid] of Object.entries(refs)) await own.write('ref of ground', ['update-ref', ref, oid]);
  const parts = new Map<string, Ground>();
  const checkOut = async (to: string): Promise<readonly string[]> => {
    linkTree(own);
    await setHead(own, to, branch);
    await fillTree(own, 'HEAD');
    const lacks = hasPointers ? await fillPointers(own) : [];
    return [...lacks, ...(await fillSubmodules({ repo, own, parts }, { clone, signal }))];
  };
  const copyUntracked = async (): Promise<void> => {
    for (const raw of [...files, ...(await findUntracked(repo, copy))]) copyBelow(repo.root, folder, raw);
    copyHooks(repo, own);
  };
  let lacks = await checkOut(commit);
  await copyUntracked();
  const installed = await cloneInstalled(repo, own, { clone, signal });
  const all = () => [...parts.values()];
  return {
    root: folder,
    repo: own,
    get lacks() {
      return lacks;
    },
    leadsBack: [
      ...installed.leadsBack,
      ...findLeadingIn(repo.env, repo.root),
      ...all().flatMap((part) => part.leadsBack),
    ],
    bytes: all().reduce((sum, { bytes }) => sum + bytes, installed.bytes),
    env: (of) => moveEnv(of, repo.root, folder),
    reset: async (to) => {
      lacks = await checkOut(to);
      const kept = installed.names.flatMap((name) => ['-e', `/${name.replace(/[\\*?[]/g, '\\$&')}`]);
      await own.write('clean ground', ['clean', '-ffdxq', ...kept]);
      await copyUntracked();
    },
    drop: () => removeInPieces(folder),
  };
}

type Filled = Readonly<{ repo: Repo; own: Repo; parts: Map<string, Ground> }>;

/** Grounds of the person's own clones; returns what is missing, in words. */
async function fillSubmodules(
  { repo, own, parts }: Filled,
  request: Pick<GroundRequest, 'clone' | 'signal'>,
): Promise<readonly string[]> {
  const lacks: string[] = [];
  for (const submodule of await listSubmodules(own)) {
    const folder = path.join(own.root, submodule.folder);
    const known = parts.get(folder);
    const source = await findClone(repo, submodule);
    if (typeof source === 'string') {
      lacks.push(source);
      continue;
    }
    if (known && existsSync(known.repo.gitDir)) await known.reset(submodule.commit);
    else {
      const part = groundAt(source, folder, path.join(own.gitDir, 'modules', submodule.folder));
      parts.set(folder, await fill(source, { ...request, folder, commit: submodule.commit }, part));
    }
    lacks.push(...(parts.get(folder)?.lacks ?? []));
  }
  return lacks;
}

async function setHead(own: Repo, commit: string, branch: string | undefined): Promise<void> {
  if (branch === undefined)
    return void (await own.write('HEAD', ['update-ref', '--no-deref', 'HEAD', commit]));
  await own.write('branch of ground', ['update-ref', `refs/heads/${branch}`, commit]);
  if (readHead(own).branch !== branch)
    await own.write('HEAD of ground', ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
}

/** A submodule's git folder is not in its tree, where whoever works could change what git obeys on this machine. */
function linkTree({ root, gitDir }: Repo): void {
  const link = path.join(root, '.git');
  if (gitDir === link) return;
  makeFolder(root);
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) removeOwnFolder(link);
  writeFileAtomic(link, `gitdir: ${path.relative(root, gitDir)}\n`);
}

/** It need not have been made. */
export function groundAt(repo: Repo, folder: string, gitDir = path.join(folder, '.git')): Repo {
  const hooksDir = moveHooks(repo, { root: folder, gitDir }, repo.hooksDir);
  return repo.at(folder, { gitDir, commonDir: gitDir, hooksDir });
}

/** False if nothing is kept there. */
async function shareStorage(repo: Repo, own: Repo): Promise<boolean> {
  if (!(await isStoredElsewhere(repo))) return false;
  const set = (await repo.git(['config', '--get', 'lfs.storage'], { okCodes: [0, 1] })).replace(/\n$/, '');
  const storage = path.resolve(repo.commonDir, set === '' ? 'lfs' : set);
  await own.write('storage of ground', ['config', 'lfs.storage', storage]);
  return true;
}

/** Returns what lacks its content, in words. */
async function fillPointers(own: Repo): Promise<readonly string[]> {
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

type Submodule = Readonly<{ name: string; folder: string; commit: string }>;

/** Of what is checked out, nearest first. */
async function listSubmodules(own: Repo): Promise<readonly Submodule[]> {
  if (!existsSync(path.join(own.root, '.gitmodules'))) return [];
  const listed = await own.bytes(
    ['config', '-z', '-f', '.gitmodules', '--get-regexp', '^submodule\\..*\\.path$'],
    { okCodes: [0, 1] },
  );
  const text = (raw: string) => Buffer.from(raw, 'latin1').toString('utf8');
  const named = splitNul(listed).map((raw) => text(raw).split('\n') as [string, string]);
  if (named.length === 0) return [];
  const specs = named.map(([, folder]) => `:(top,literal)${folder}`);
  const entries = await listIndex(own, undefined, specs);
  return named.flatMap(([key, folder]) => {
    const entry = entries.find(({ mode, file }) => mode === submoduleMode && file === folder);
    const name = key.slice('submodule.'.length, -'.path'.length);
    return entry ? { name, folder, commit: entry.oid } : [];
  });
}

/** A text: why the person has no clone of it. */
async function findClone(repo: Repo, { name, folder, commit }: Submodule): Promise<Repo | string> {
  const root = path.join(repo.root, folder);
  // As git has it: a stranger’s name could lead to a folder of theirs, with settings that run programs.
  const names = name.split('/').includes('..') ? [folder] : [name, folder];
  const places = names.flatMap((each) =>
    [repo.gitDir, repo.commonDir].map((gitDir) => path.join(gitDir, 'modules', each)),
  );
  // One in the tree last, and not where a sandbox may have made it.
  const inTree = repo.runsHooks ? orElse(() => gitFolderOf(root), undefined) : undefined;
  const gitDir = [...places, inTree].find((each) => each && existsSync(path.join(each, 'HEAD')));
  if (gitDir === undefined)
    return existsSync(path.join(root, '.git'))
      ? `the submodule ${folder} has its git folder in the tree, where a sandbox can change it (git submodule absorbgitdirs)`
      : `the submodule ${folder} is not checked out in your tree (git submodule update --init)`;
  const commonDir = commonFolderOf(gitDir);
  const clone = repo.at(root, { gitDir, commonDir, hooksDir: path.join(commonDir, 'hooks') });
  // git cannot run in a folder that is not there.
  const at = existsSync(root) ? clone : repo.at(gitDir, { gitDir, commonDir, hooksDir: clone.hooksDir });
  const has = await at.git(['cat-file', '-t', commit], { okCodes: [0, 128] });
  return has.trim() === 'commit'
    ? at
    : `your clone of the submodule ${folder} lacks its commit ${commit.slice(0, 12)} (git submodule update)`;
}
