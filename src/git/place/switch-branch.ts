// Switches branches, as a person does.
import type { Repo } from '../run/repo.ts';

/**
 * Checks out the chosen branch, creating it first if requested. Untracked files and the plan's changes come along; if they
 * cannot, throws Failure('git').
 */
export async function switchBranch(
  repo: Repo,
  { branch, create }: Readonly<{ branch: string; create: boolean }>,
): Promise<void> {
  // In two steps: a kill or another git's lock between them leaves a branch on this very commit, which is what is wanted.
  if (create && !(await isOnHead(repo, branch)))
    // Without HEAD, git looks for what HEAD names, and finds a tag of that name too.
    await repo.write(`branch ${branch}`, ['branch', '-q', '--no-track', branch, 'HEAD']);
  await repo.write(`switch to ${branch}`, [
    ...['switch', '-q', '--no-recurse-submodules', '--no-guess'],
    branch,
  ]);
}

async function isOnHead(repo: Repo, branch: string): Promise<boolean> {
  return (await repo.git(['for-each-ref', '--points-at=HEAD', `refs/heads/${branch}`])) !== '';
}
