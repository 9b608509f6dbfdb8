// The command with which a person takes over the work of a run.
import type { RunState } from '../../journal/state.ts';
import { isOid } from './figure.ts';

/** Into the branch from which the run's own was created; undefined if it worked on one of the person's. */
export function mergeCommand({ started, worktree, branchFrom: into }: RunState): string | undefined {
  const { branch } = started;
  if (worktree) return `git merge ${branch}`;
  return into === undefined || into === branch || isOid(into)
    ? undefined
    : `git switch ${into} && git merge ${branch}`;
}
