// The commit to compare a branch with: named, a pull request's base, or where it left the default branch.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import type { WorkplaceFacts } from '../git/place/workplace.ts';
import type { Repo } from '../git/run/repo.ts';

/** The merge base, else throws a Failure that says what to do. Fetches nothing. */
export async function findReviewBase(
  repo: Repo,
  workplace: WorkplaceFacts,
  given: Readonly<{
    base?: string | undefined;
    /** A commit; default: HEAD. */
    head?: string | undefined;
    env: Readonly<Record<string, string>>;
    command?: string;
  }>,
): Promise<string> {
  const { command = 'pawl review', head = 'HEAD' } = given;
  const named = given.base ?? (given.env['GITHUB_BASE_REF'] || workplace.defaultBranch);
  if (named === undefined)
    throw new Failure('usage', 'pawl cannot tell what to compare the branch with', {
      hint: `Name it: ${command} --base <branch or commit>`,
    });
  const oid = await resolve(repo, named);
  const source = `origin${named === 'FETCH_HEAD' ? '' : ` ${named.replace(/^origin\//, '')}`}`;
  if (oid === undefined)
    throw new Failure('preflight', `the base ${named} is not in this clone`, {
      hint: `Fetch it: git fetch ${source} && ${command} --base FETCH_HEAD; in GitHub's checkout: fetch-depth: 0`,
    });
  const base = (await repo.git(['merge-base', oid, head], { okCodes: [0, 1] })).trim();
  if (base === '' && existsSync(path.join(repo.commonDir, 'shallow')))
    throw new Failure(
      'preflight',
      `this clone is shallow: the commit where HEAD and ${named} diverged is not in it`,
      { hint: `Fetch it: git fetch --unshallow ${source}; in GitHub's checkout: fetch-depth: 0` },
    );
  if (base === '')
    throw new Failure('preflight', `HEAD and ${named} have no commit in common`, {
      hint: `Name another base: ${command} --base <branch or commit>`,
    });
  if (base === (given.head ?? workplace.head))
    throw new Failure(
      'usage',
      `there is nothing to look at: ${head.slice(0, 12)} has no commits that ${named} lacks`,
      { hint: `Commit the changes, or name an earlier commit: ${command} --base HEAD~3` },
    );
  return base;
}

export async function resolve(repo: Repo, name: string): Promise<string | undefined> {
  // A tag may have a branch's name.
  for (const one of [`refs/heads/${name}`, name, `refs/remotes/origin/${name}`]) {
    const oid = await repo.git(['rev-parse', '-q', '--verify', '--end-of-options', `${one}^{commit}`], {
      okCodes: [0, 1, 128],
    });
    if (oid.trim() !== '') return oid.trim();
  }
  return undefined;
}
