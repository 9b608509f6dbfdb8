// The run must be on its own branch: a person may check out another meanwhile.
import { Failure, type FailureCode } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { readRefs } from '../git/run/head.ts';
import type { HeadAt } from '../git/tree/status.ts';
import type { RunState } from '../journal/state.ts';
import { listClosed } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';

/** Throws if another branch is checked out, or none: commits would land there. */
export function refuseElsewhere(place: Pick<Place, 'repo' | 'run'>): void {
  const { branch: wanted } = place.run.state().started;
  const { branch: current } = readHead(place.repo);
  if (current === wanted) return;
  throw onAnotherBranch('git', wanted, current);
}

/** Throws if HEAD moved with no session at work: perhaps by a person, so it stays. `beside`: what pawl ran. */
export function refuseMoved(
  place: Pick<Place, 'run'>,
  { before, now }: Readonly<{ before: HeadAt; now: HeadAt }>,
  beside: string,
): void {
  if (now.branch !== before.branch)
    throw onAnotherBranch('git', place.run.state().started.branch, now.branch);
  if (now.commit === before.commit) return;
  const [from, to] = [before.commit, now.commit].map((oid = 'nothing') => oid.slice(0, 12));
  throw new Failure('git', `HEAD moved from ${from} to ${to} while pawl ran ${beside}`, {
    hint: `pawl did not move it, and left it where it is. \`git log ${from}..${to}\` and \`git reflog\` show what happened; then run the same command again. A check must not commit.`,
  });
}

export async function elsewhere(
  seen: Readonly<{ repo: Place['repo']; state: RunState; current: string | undefined }>,
): Promise<Failure> {
  const { branch } = seen.state.started;
  const { refs } = await readRefs(seen.repo);
  if (refs.has(`refs/heads/${branch}`)) return onAnotherBranch('preflight', branch, seen.current);
  return new Failure('preflight', `the run works on ${branch}, but that branch is gone`, {
    hint: `Recreate it where the run left it with \`git switch -c ${branch} ${headLeft(seen.state).slice(0, 12)}\`, or start over: pawl run --fresh.`,
  });
}

/** Where the run left its branch. */
export function headLeft({ started, tasks, course }: RunState): string {
  return course.ended?.head ?? listClosed(tasks.values()).at(-1)?.close.oid ?? started.base;
}

function onAnotherBranch(code: FailureCode, wanted: string, current: string | undefined): Failure {
  const now = current === undefined ? 'no branch is checked out' : `${current} is checked out`;
  return new Failure(code, `the run works on ${wanted}, but ${now}`, {
    hint: `Go back with \`git switch ${wanted}\` and run the same command again, or start over: pawl run --fresh.`,
  });
}
