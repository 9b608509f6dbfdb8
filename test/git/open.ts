// A temporary repository opened as pawl opens one: a home of its own, no configuration of this machine.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRepo, type Repo } from '../../src/git/run/repo.ts';
import { changedFiles } from '../../src/git/tree/changes.ts';
import type { TreeRules } from '../../src/git/tree/choose-files.ts';
import { writeTree } from '../../src/git/tree/tree.ts';
import { sweep } from '../../src/process/host-sweep.ts';
import { spawn } from '../../src/process/spawn.ts';
import { makeRepo, type RepoContent, type Repo as TempRepo } from '../helpers/temp-repo.ts';

/** What pawl's git is given in tests. */
export function depsOf(home: string, env: Readonly<Record<string, string>> = {}) {
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...env };
  return { spawn, sweep, env: base, gitMs: 60_000, commitMs: 60_000 };
}

export type Opened = AsyncDisposable &
  Readonly<{
    temp: TempRepo;
    repo: Repo;
    home: string;
    /** Index file of a run. */
    index: string;
    /** `HEAD` or another revision as an object id. */
    oid(revision?: string): Promise<string>;
    reopen(env?: Readonly<Record<string, string>>): Promise<Repo>;
  }>;

/** Makes a repository with one commit and opens it. */
export async function openTemp(content: RepoContent = {}): Promise<Opened> {
  const temp = await makeRepo(content);
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-home-')));
  const repo = await openRepo(temp.path, depsOf(home));
  return {
    temp,
    repo,
    home,
    index: path.join(repo.commonDir, 'pawl', 'runs', 'r', 'index'),
    oid: (revision = 'HEAD') => temp.git('rev-parse', revision),
    reopen: (env) => openRepo(temp.path, depsOf(home, env)),
    [Symbol.asyncDispose]: async () => {
      await temp[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The same, with a bare remote. */
export async function openWithRemote(content: RepoContent = {}) {
  const opened = await openTemp(content);
  const { temp, home } = opened;
  const bare = path.join(home, 'origin.git');
  await temp.git('init', '-q', '--bare', bare);
  await temp.git('remote', 'add', 'origin', bare);
  return { ...opened, bare, inRemote: (...args: string[]) => temp.git(`--git-dir=${bare}`, ...args) };
}

/** Rules of tree T that refuse nothing but what is always refused. */
export function rules(over: Partial<TreeRules> = {}): TreeRules {
  return { userUntracked: new Set(), leftOut: new Set(), include: [], ...over };
}

/** Tree T, told against another. */
export async function treeAgainst(
  { repo, index }: Pick<Opened, 'repo' | 'index'>,
  against: string,
  over: Partial<TreeRules> = {},
) {
  const written = await writeTree(repo, index, { rules: rules(over) });
  return { ...written, files: await changedFiles(repo, against, written.tree) };
}

const words = `export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
fails() { if "$@" > "$HOME/said" 2>&1; then exit 1; fi; }
`;

/** Runs a script in the work tree, with pawl's environment; each of its commands has to succeed. */
export function sh(
  { temp, repo }: Pick<Opened, 'temp' | 'repo'>,
  script: string,
  ...args: readonly string[]
) {
  const env = { ...process.env, ...repo.env };
  execFileSync('sh', ['-ec', words + script, 'sh', ...args], { cwd: temp.path, env });
}
