// Clones a plan's repository for a worker by way of a mirror, which is kept so that only what is new crosses the network.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile, removeOwnFolder } from '../../disk.ts';
import { effect } from '../../effect.ts';
import { Failure } from '../../failure.ts';
import type { Spawn } from '../../process/spawn.ts';
import { safeSettings } from '../run/git-command.ts';
import { essenceOf, gitEnvironment, runGit } from '../run/run-git.ts';

/** How git is run here; `clockMs`: of one command. */
export type MirrorDeps = Readonly<{ spawn: Spawn; env: Readonly<Record<string, string>>; clockMs: number }>;

/** What is cloned: `mirror` and `folder` are absolute paths of pawl's own. */
export type CloneRequest = Readonly<{ url: string; mirror: string; folder: string }>;

const mirrors = new Map<string, Promise<unknown>>();

/** Brings the mirror up to date and makes the clone, in a folder that is not there yet; nothing is checked out. Failure('git') where the repository cannot be had. */
export async function cloneByMirror(deps: MirrorDeps, { url, mirror, folder }: CloneRequest): Promise<void> {
  const git = gitIn(deps);
  // One after the other: git refuses two that move the same refs.
  const before = mirrors.get(mirror) ?? Promise.resolve();
  const update = before.then(() => updateMirror(git, url, mirror));
  mirrors.set(
    mirror,
    update.catch(() => {}),
  );
  await update;
  const half = `${folder}.half`;
  makeFolder(path.dirname(folder), 0o700);
  await git(path.dirname(folder), ['clone', '-q', '--no-checkout', '--template=', '--', mirror, half]);
  await git(half, ['config', 'remote.origin.url', url]);
  moveFile(half, folder);
}

type Git = ReturnType<typeof gitIn>;

/** What a kill left in a mirror, as a lock, would stay for good: one that cannot be brought up to date is made anew. */
async function updateMirror(git: Git, url: string, mirror: string): Promise<void> {
  const isNew = !existsSync(mirror);
  try {
    await fetchInto(git, url, mirror);
  } catch (error) {
    if (isNew) throw error;
    const anew = `${mirror}.new`;
    removeOwnFolder(anew);
    await fetchInto(git, url, anew);
    removeOwnFolder(mirror);
    moveFile(anew, mirror);
  }
}

async function fetchInto(git: Git, url: string, mirror: string): Promise<void> {
  makeFolder(mirror, 0o700);
  await git(mirror, ['init', '-q', '--bare', '--template=', '.']);
  await git(mirror, ['fetch', '-q', '--prune', '--no-tags', '--', url, '+refs/heads/*:refs/heads/*']);
}

/** Has a commit checked out: on a branch of that name, or on none. */
export async function checkOut(
  deps: MirrorDeps,
  folder: string,
  { commit, branch }: Readonly<{ commit: string; branch?: string }>,
): Promise<void> {
  const on = branch === undefined ? ['--detach'] : ['-B', branch];
  await gitIn(deps)(folder, ['checkout', '-q', '--force', ...on, commit]);
}

function gitIn({ spawn, env: base, clockMs }: MirrorDeps) {
  // Nobody has trusted what it fetches; a mirror is a bare repository of pawl's own.
  const safe = [...safeSettings, 'safe.bareRepository=all', 'protocol.ext.allow=never'].flatMap((setting) => [
    ...['-c', setting],
  ]);
  const env = { ...gitEnvironment(base), GIT_LFS_SKIP_SMUDGE: '1' };
  return async (cwd: string, args: readonly string[]): Promise<void> => {
    const ended = await effect('git', args[0] ?? '', () =>
      runGit(spawn, { args: [...safe, ...args], cwd, env, clockMs }),
    );
    if (ended.code === 0) return;
    const why = ended.timedOut ? `it took longer than ${clockMs / 1_000} s` : essenceOf(ended.stderr);
    throw new Failure('git', `git ${args[0]} failed: ${why}`, {
      hint: 'What git says has to be put right on this worker, or at the remote: its address, its login, its disk.',
    });
  };
}
