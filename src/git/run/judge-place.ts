// Why a folder is no working tree that pawl can work in, and what to do.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { essenceOf } from './run-git.ts';

type PlaceAnswer = Readonly<{ cwd: string; stderr: string; bare: boolean; inside: boolean }>;

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

export function judgePlace(found: PlaceAnswer): Failure {
  // With safe.bareRepository=explicit git calls both by this name.
  const refused = /cannot use bare repository '(.*?)' \(/.exec(found.stderr)?.[1];
  const isGitFolder = refused !== undefined && path.basename(refused) === '.git';
  if (found.bare || (refused !== undefined && !isGitFolder))
    return new Failure(
      'preflight',
      `${found.cwd} is a bare repository: there is no working tree to work in`,
      { hint: 'Make one with `git worktree add ../work`, and run pawl there.' },
    );
  if (/dubious ownership/.test(found.stderr))
    return new Failure('preflight', `git does not trust ${found.cwd}: it belongs to another user`, {
      hint: `If it is yours: git config --global --add safe.directory ${found.cwd}`,
    });
  if (/not a git repository/.test(found.stderr))
    return new Failure('preflight', `${found.cwd} is not in a git repository`, {
      hint: 'Run `git init`, commit what is there, and start again.',
    });
  if (isGitFolder || (!found.inside && found.stderr.includes('work tree')))
    return new Failure('preflight', `${found.cwd} is inside a git folder, not in a working tree`, {
      hint: 'Change to the working tree and start again.',
    });
  return new Failure('git', `git cannot open the repository at ${found.cwd}: ${essenceOf(found.stderr)}`);
}
