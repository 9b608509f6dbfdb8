// Switches branches, as a person does.
import type { Repo } from '../run/repo.ts';

/** Throws Failure('git') if untracked files and the plan's changes cannot come along. */
export async function switchBranch(
  repo: Repo,
  { branch, create }: Readonly<{ branch: string; create: boolean }>,
): Promise<void> {
  // A kill between the two steps leaves a branch on this very commit, which is what is wanted.
  if (create && !(await isOnHead(repo, branch)))
    // Without `HEAD`, git looks up what HEAD names, and finds a tag of that name too.
    await repo.write(`branch ${branch}`, ['branch', '-q', '--no-track', branch, 'HEAD']);
  await repo.write(`switch to ${branch}`, [
    ...['switch', '-q', '--no-recurse-submodules', '--no-guess'],
    branch,
  ]);
}

async function isOnHead(repo: Repo, branch: string): Promise<boolean> {
  return (await repo.git(['for-each-ref', '--points-at=HEAD', `refs/heads/${branch}`])) !== '';
}
