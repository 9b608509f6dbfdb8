// Whether a closed task may be undone now, and what to do first if not.
import { Failure } from '../../failure.ts';
import { readTaskCommit } from '../../git/commit/history.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import type { LoggedCommit } from '../../git/run/log.ts';
import type { Repo } from '../../git/run/repo.ts';
import { hasOpenSession, type RunState } from '../../journal/state.ts';
import { isClosed, type Plan } from '../../plan/plan.ts';

/** A run that was cut off while it worked is put in order by its next start, not by an undo. */
export function refuseUnsettled(state: RunState): void {
  const { started, closing, discard } = state;
  if (discard)
    throw new Failure('preflight', `run ${started.run} is being discarded, or was`, {
      hint: `\`pawl status ${started.plan}\` tells where it stands.`,
    });
  if (!hasOpenSession(state) && !closing) return;
  throw new Failure('preflight', `run ${started.run} was interrupted in the middle of a task`, {
    hint: `Run \`pawl run ${started.plan}\` once, which repairs that (Ctrl-C stops it), then undo.`,
  });
}

/** The run's branch has to be checked out. */
export function refuseOtherBranch(repo: Repo, branch: string): void {
  const { branch: current } = readHead(repo);
  if (current === branch) return;
  throw new Failure('preflight', `the run works on ${branch}, but ${current ?? 'no branch'} is checked out`, {
    hint: `git switch ${branch}`,
  });
}

/** What is open cannot be taken back. */
export function refuseOpen(plan: Plan, id: string): void {
  const task = plan.tasks.find((one) => one.id === id);
  if (task && !isClosed(task)) throw new Failure('usage', `task ${id} is open: there is nothing to undo`);
}

/** The first of two undos that a kill cut off comes to its end before another begins. */
export function refuseOther(undoing: string, task: string): void {
  if (undoing === task) return;
  throw new Failure('preflight', `an undo of task ${undoing} was interrupted`, {
    hint: `\`pawl undo ${undoing}\` finishes it.`,
  });
}

/** Commits stand on the task's, and nobody said what is to become of them. */
export function standsUnder(task: string, later: readonly LoggedCommit[]): Failure {
  const lines = later.map((commit) => {
    const closed = readTaskCommit(commit);
    const whose = closed
      ? `task ${closed.task}`
      : /^Pawl-Run: /m.test(commit.message)
        ? 'pawl'
        : 'not pawl’s';
    return `  ${commit.oid.slice(0, 10)}  ${commit.message.split('\n', 1)[0]} (${whose})`;
  });
  return new Failure('usage', [`these commits come after task ${task}:`, ...lines].join('\n'), {
    hint: `pawl undo ${task} --with-later undoes them too.\npawl undo ${task} --revert makes a commit that undoes only the task’s own change.`,
  });
}
