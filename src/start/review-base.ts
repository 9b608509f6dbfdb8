// The commit a review compares with: the one the command names, a pull request's base, or the default branch; always at the
// merge base. It fetches nothing.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import type { WorkplaceFacts } from '../git/place/workplace.ts';
import type { Repo } from '../git/run/repo.ts';

/** The commit the difference is taken from; a Failure that says what to do when there is none. */
export async function findReviewBase(
  repo: Repo,
  workplace: WorkplaceFacts,
  given: Readonly<{ base?: string | undefined; env: Readonly<Record<string, string>> }>,
): Promise<string> {
  const named = given.base ?? (given.env['GITHUB_BASE_REF'] || workplace.defaultBranch?.name);
  if (named === undefined)
    throw new Failure('usage', 'pawl cannot tell what to compare the branch with', {
      hint: 'Name it: pawl review --base <branch or commit>',
    });
  const oid = await resolve(repo, named);
  if (oid === undefined) throw missing(named);
  const base = (await repo.git(['merge-base', oid, 'HEAD'], { okCodes: [0, 1] })).trim();
  if (base === '') throw apart(named, existsSync(path.join(repo.commonDir, 'shallow')));
  if (base === workplace.head)
    throw new Failure('usage', `there is nothing to review: HEAD has no commits that ${named} lacks`, {
      hint: 'Commit the changes to review, or name an earlier commit: pawl review --base HEAD~3',
    });
  return base;
}

/** The commit of a name; of a branch that is only known from the remote as well. */
async function resolve(repo: Repo, name: string): Promise<string | undefined> {
  for (const one of [name, `origin/${name}`]) {
    const oid = await repo.git(['rev-parse', '-q', '--verify', '--end-of-options', `${one}^{commit}`], {
      okCodes: [0, 1, 128],
    });
    if (oid.trim() !== '') return oid.trim();
  }
  return undefined;
}

function missing(name: string): Failure {
  return new Failure('preflight', `the base ${name} is not in this clone`, {
    hint: `Fetch it: git fetch origin ${name} && pawl review --base FETCH_HEAD\n(a shallow clone: git fetch --unshallow origin ${name}; in GitHub's checkout: fetch-depth: 0)`,
  });
}

function apart(name: string, shallow: boolean): Failure {
  if (!shallow)
    return new Failure('preflight', `HEAD and ${name} have no commit in common`, {
      hint: 'Name another base: pawl review --base <branch or commit>',
    });
  return new Failure(
    'preflight',
    `this clone is shallow: the commit where HEAD and ${name} diverged is not in it`,
    { hint: `Fetch it: git fetch --unshallow origin ${name} (in GitHub's checkout: fetch-depth: 0)` },
  );
}
