// Where a command was called: the repository, found without git.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { Failure } from '../failure.ts';
import { pathsIn } from '../git/protect/protected-files.ts';
import { commonFolderOf, gitFolderOf } from '../git/run/git-folder.ts';
import { readHome } from '../git/run/home.ts';
import { orElse } from '../or-else.ts';
import { isPlanFile, plansFolder } from '../plan/plan-name.ts';
import { readInside } from '../plan/read-inside.ts';
import type { CliContext } from './context.ts';

/** All paths are real and absolute. */
export type Place = Readonly<{
  root: string;
  /** Of this working tree. */
  gitDir: string;
  /** Shared by all working trees and grounds; runs are stored there. */
  commonDir: string;
}>;

/**
 * Undefined outside a repository, or if `.git` is none. Throws Failure('preflight') for a path that pawl cannot use.
 */
export function findPlace(cwd: string): Place | undefined {
  // Node decodes such a name as text that no folder has.
  if (cwd.includes('\uFFFD') && !existsSync(cwd)) throw isUnreadable(cwd, 'bytes that are not UTF-8');
  for (let folder = realpathSync(cwd); ; folder = path.dirname(folder)) {
    const place = placeIn(folder);
    // git prints paths in lines.
    if (place && `${folder}${place.gitDir}`.includes('\n')) throw isUnreadable(folder, 'a line end');
    if (place) return place;
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** Pawl made it for a run. */
export function isGround({ gitDir }: Pick<Place, 'gitDir'>): boolean {
  return readHome(gitDir) !== undefined;
}

export function outsideRepository({ cwd }: Readonly<{ cwd: string }>): Failure {
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(cwd, name))))
    return new Failure('preflight', `${cwd} is a bare repository: there are no files to work on`, {
      hint: 'Make a working tree, and run pawl there: git worktree add ../work',
    });
  return new Failure('preflight', `${cwd} is not in a git repository`, {
    hint: 'Change to the repository; or make one of this folder: git init && git add -A && git commit -m "First commit"',
  });
}

function isUnreadable(folder: string, what: string): Failure {
  return new Failure('preflight', `the path ${JSON.stringify(folder)} has ${what} in it`, {
    hint: 'pawl, git and many checks cannot work in such a folder: rename it, or clone the repository elsewhere.',
  });
}

/** Undefined if `folder` is no working tree, or its git folder is gone. */
export function findPlaceAt(folder: string): Place | undefined {
  if (!existsSync(folder) || realpathSync(folder) !== folder) return undefined;
  try {
    return placeIn(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function placeIn(root: string): Place | undefined {
  const gitDir = gitFolderOf(root);
  return gitDir === undefined
    ? undefined
    : { root, gitDir, commonDir: readHome(gitDir) ?? commonFolderOf(gitDir) };
}

/** Links are resolved as far as the path exists. */
export function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(realOf(folder), path.basename(file));
  }
}

/** Absolute paths, sorted by name. */
export function listPlans(root: string): readonly string[] {
  const folder = path.join(root, plansFolder);
  return orElse(() => readdirSync(folder, { withFileTypes: true }), [])
    .filter((entry) => !entry.isDirectory() && isPlanFile(`${plansFolder}/${entry.name}`))
    .map((entry) => path.join(folder, entry.name))
    .sort();
}

/** Relative to the root. */
export function readSubmodules(root: string): readonly string[] {
  return pathsIn(readInside(root, '.gitmodules') ?? '', 'submodule');
}

/** No run starts in a tree that is or contains the home, unless IS_SANDBOX=1. */
export function refuseWideTree(root: string, { env, folders }: Pick<CliContext, 'env' | 'folders'>): void {
  const home = orElse(() => realpathSync(folders.home), folders.home);
  const holdsHome = isAtOrBelow(home, root);
  if (!holdsHome || env['IS_SANDBOX'] === '1') return;
  const what =
    root === '/' ? 'the whole machine' : home === root ? 'your home directory' : 'home directories';
  throw new Failure('preflight', `this repository is ${what} (${root}): pawl does not run agents in it`, {
    hint: 'Run pawl in a repository of its own. If this machine is a sandbox, say so: IS_SANDBOX=1.',
  });
}
