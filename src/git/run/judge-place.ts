// Why a folder is no working tree that pawl can work in, and what to do.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { essenceOf } from './run-git.ts';

/** The oldest with all that pawl asks for; `--jobs` needs 2.38. */
export const neededGit = [2, 31] as const;

export function tooOld(): Failure {
  return new Failure('environment', 'git is too old', {
    hint: `Install git ${neededGit.join('.')} or newer.`,
  });
}

/** What a session did to refs is read from git's files. */
export function refuseReftable({ root, commonDir }: Readonly<{ root: string; commonDir: string }>): void {
  if (!existsSync(path.join(commonDir, 'reftable'))) return;
  throw new Failure('preflight', `${root} keeps its refs in a reftable, which pawl cannot guard`, {
    hint: 'Keep them in files: git refs migrate --ref-format=files (git 2.46)',
  });
}

/** `said`: git's own words. */
export function judgePlace(cwd: string, said: string): Failure {
  if (/dubious ownership/.test(said))
    return new Failure('preflight', `git does not trust ${cwd}: it belongs to another user`, {
      hint: `If it is yours: git config --global --add safe.directory ${cwd}`,
    });
  // As in the folder around a `.bare` and its working trees.
  if (/must be run in a work tree|cannot use bare repository/.test(said))
    return new Failure('preflight', `${cwd} is in no working tree, but in a bare repository or git folder`, {
      hint: 'Change to a working tree, or make one and run pawl there: git worktree add ../work',
    });
  // Also for a `.git` without what git needs in it.
  if (/not a git repository/.test(said))
    return new Failure('preflight', `${cwd} is not in a git repository`, {
      hint: 'Run `git init`, commit what is there, and start again.',
    });
  return new Failure('git', `git cannot open the repository at ${cwd}: ${essenceOf(said)}`);
}
