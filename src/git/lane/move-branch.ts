// Moves a branch to a landed commit in one step, or not at all.
import { changeRefs, readRef } from '../run/head.ts';
import type { Repo } from '../run/repo.ts';

/** False if somebody else has moved it. */
export async function moveBranch(
  repo: Repo,
  { branch, from, to }: Readonly<{ branch: string; from: string; to: string }>,
): Promise<boolean> {
  try {
    await changeRefs(repo, 'land', [{ ref: `refs/heads/${branch}`, now: to, old: from }]);
    return true;
  } catch (error) {
    const now = await readRef(repo, `refs/heads/${branch}`);
    if (now === from) throw error;
    return now === to;
  }
}
