// Refuses to run in a home directory or in `/`: an agent may do anything in the folder it works in.

import { realpathSync } from 'node:fs';
import { isAtOrBelow } from '../below.ts';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';
import type { CliContext } from './context.ts';

/**
 * Why no run starts in a working tree that is, or contains, the user's home; undefined if it is neither, or if the user
 * says that the machine is a sandbox.
 */
export function judgeWorkingDirectory(
  root: string,
  { env, folders }: Pick<CliContext, 'env' | 'folders'>,
): Failure | undefined {
  const home = orElse(() => realpathSync(folders.home), folders.home);
  const holdsHome = isAtOrBelow(home, root);
  if (!holdsHome || env['IS_SANDBOX'] === '1') return undefined;
  const what =
    root === '/' ? 'the whole machine' : home === root ? 'your home directory' : 'home directories';
  return new Failure('preflight', `this repository is ${what} (${root}): pawl does not run agents in it`, {
    hint: 'Run pawl in a repository of its own. If this machine is a sandbox, say so: IS_SANDBOX=1.',
  });
}
