// Clones a plan's repository through a kept mirror, so that only new objects cross the network.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile, removeOwnFolder } from '../../disk.ts';
import { effect } from '../../effect.ts';
import { Failure } from '../../failure.ts';
import type { Spawn } from '../../process/spawn.ts';
import { safeSettings } from '../run/git-command.ts';
import { essenceOf, gitEnvironment, runGit } from '../run/run-git.ts';

/** `clockMs`: for each command. */
export type MirrorDeps = Readonly<{ spawn: Spawn; env: Readonly<Record<string, string>>; clockMs: number }>;

/** `mirror`, `folder`: absolute paths of pawl's own. */
export type CloneRequest = Readonly<{ url: string; mirror: string; folder: string }>;

const mirrors = new Map<string, Promise<unknown>>();

/** Without a checkout, into a new folder. Throws Failure('git') if the repository is unavailable. */
export async function cloneByMirror(deps: MirrorDeps, { url, mirror, folder }: CloneRequest): Promise<void> {
  const git = gitIn(deps);
  // One at a time: git refuses two commands that move the same refs.
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

/** Made anew if it cannot be updated: a kill may have left a lock in it. */
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

export async function checkOut(
  deps: MirrorDeps,
  folder: string,
  { commit, branch }: Readonly<{ commit: string; branch?: string }>,
): Promise<void> {
  const on = branch === undefined ? ['--detach'] : ['-B', branch];
  await gitIn(deps)(folder, ['checkout', '-q', '--force', ...on, commit]);
}

function gitIn({ spawn, env: base, clockMs }: MirrorDeps) {
  // Nobody has trusted what it fetches; a mirror is bare.
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
      hint: 'Fix what git reports, on this worker or at the remote: its address, its login, its disk.',
    });
  };
}
