// Clones a plan's repository for a worker. Nobody has trusted what it fetches.
import path from 'node:path';
import { makeFolder } from '../../disk.ts';
import { effect } from '../../effect.ts';
import { Failure } from '../../failure.ts';
import type { Spawn } from '../../process/spawn.ts';
import { safeSettings } from '../run/git-command.ts';
import { essenceOf, gitEnvironment, runGit } from '../run/run-git.ts';

/** `clockMs`: for each command. */
type CloneTools = Readonly<{ spawn: Spawn; env: Readonly<Record<string, string>>; clockMs: number }>;

/** Without a checkout, into a new folder. Throws Failure('git') if the repository is unavailable. */
export async function cloneInto(tools: CloneTools, folder: string, url: string): Promise<void> {
  const parent = path.dirname(folder);
  makeFolder(parent, 0o700);
  await gitIn(tools)(parent, ['clone', '-q', '--no-checkout', '--no-tags', '--template=', '--', url, folder]);
}

export async function checkOut(
  tools: CloneTools,
  folder: string,
  { commit, branch }: Readonly<{ commit: string; branch?: string }>,
): Promise<void> {
  const on = branch === undefined ? ['--detach'] : ['-B', branch];
  await gitIn(tools)(folder, ['checkout', '-q', '--force', ...on, commit]);
}

function gitIn({ spawn, env: base, clockMs }: CloneTools) {
  // A remote on this machine is bare.
  const safe = [...safeSettings, 'safe.bareRepository=all', 'protocol.ext.allow=never'].flatMap((setting) => [
    '-c',
    setting,
  ]);
  const env = { ...gitEnvironment(base), GIT_LFS_SKIP_SMUDGE: '1' };
  return async (cwd: string, args: readonly string[]): Promise<void> => {
    const ended = await effect('git', args[0] ?? '', () =>
      runGit(spawn, { args: [...safe, ...args], cwd, env, timeoutMs: clockMs }),
    );
    if (ended.ended.code === 0) return;
    const why = ended.timedOut ? `it took longer than ${clockMs / 1_000} s` : essenceOf(ended.stderr.text);
    throw new Failure('git', `git ${args[0]} failed: ${why}`, {
      hint: 'Fix what git reports, on this worker or at the remote: its address, its login, its disk.',
    });
  };
}
