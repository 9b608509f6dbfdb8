// The command with which a person takes over the work of a run.
import type { RunState } from '../../journal/state.ts';

/** Into the branch from which the run's own was created; undefined if it worked on one of the person's. */
export function mergeCommand({ started, worktree, branchFrom: into }: RunState): string | undefined {
  const { branch } = started;
  if (worktree) return `git merge ${branch}`;
  return into === undefined || into === branch || isOid(into)
    ? undefined
    : `git switch ${into} && git merge ${branch}`;
}

function isOid(name: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(name);
}
