// The run must be on its own branch: a person may check out another meanwhile.
import { Failure, type FailureCode } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { readRefs } from '../git/run/head.ts';
import type { HeadAt } from '../git/tree/status.ts';
import type { RunState } from '../journal/state.ts';
import { closeOf } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';

/** Throws if another branch is checked out, or none: commits would land there. */
export function refuseElsewhere(place: Pick<Place, 'repo' | 'run'>): void {
  const { branch: wanted } = place.run.state().started;
  const { branch: current } = readHead(place.repo);
  if (current === wanted) return;
  throw onAnotherBranch('git', { wanted, current, last: lastCommit(place.run.state()) });
}

/** Throws if HEAD moved with no session at work: perhaps by a person, so it stays. `beside`: what pawl ran. */
export function refuseMoved(
  place: Pick<Place, 'run'>,
  { before, now }: Readonly<{ before: HeadAt; now: HeadAt }>,
  beside: string,
): void {
  if (now.branch !== before.branch) {
    const { branch: wanted } = place.run.state().started;
    throw onAnotherBranch('git', { wanted, current: now.branch, last: before.commit ?? 'HEAD' });
  }
  if (now.commit === before.commit) return;
  const [from, to] = [before.commit, now.commit].map((oid = 'nothing') => oid.slice(0, 12));
  throw new Failure('git', `HEAD moved from ${from} to ${to} while pawl ran ${beside}`, {
    hint: `pawl did not move it, and left it where it is. \`git log ${from}..${to}\` and \`git reflog\` show what happened; then run the same command again. A check must not commit.`,
  });
}

export async function elsewhere(
  seen: Readonly<{ repo: Place['repo']; state: RunState; current: string | undefined }>,
): Promise<Failure> {
  const { started } = seen.state;
  const { ended } = seen.state.course;
  const { refs } = await readRefs(seen.repo);
  const gone = !refs.has(`refs/heads/${started.branch}`);
  const last = ended?.head ?? lastCommit(seen.state);
  return onAnotherBranch('preflight', { wanted: started.branch, current: seen.current, last, gone });
}

function lastCommit(state: RunState): string {
  const { started, tasks } = state;
  return [...tasks.values()].flatMap((task) => closeOf(task)?.oid ?? []).at(-1) ?? started.base;
}

/** `last`: the run's last known commit. */
function onAnotherBranch(
  code: FailureCode,
  seen: Readonly<{ wanted: string; current: string | undefined; last: string; gone?: boolean }>,
): Failure {
  const { wanted, current, last } = seen;
  const now = current === undefined ? 'no branch is checked out' : `${current} is checked out`;
  if (seen.gone) {
    return new Failure(code, `the run works on ${wanted}, but that branch is gone`, {
      hint: `Recreate it where the run left it with \`git switch -c ${wanted} ${last.slice(0, 12)}\`, or start over with --fresh.`,
    });
  }
  return new Failure(code, `the run works on ${wanted}, but ${now}`, {
    hint: `Go back with \`git switch ${wanted}\` and run the same command again, or start over with --fresh.`,
  });
}
