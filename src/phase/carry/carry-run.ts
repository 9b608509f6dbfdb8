// Carries a run once: what is known of it as a commit, pushed under the lease, and kept here as a ref where that was taken.
import { type Written, writeCarried } from '../../git/carry/carried-commit.ts';
import type { BranchPush, Remote } from '../../git/carry/remote.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { Carry } from '../../journal/carry.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { formatOwner } from './owner.ts';
import { pushRun, type RunPushed } from './push-run.ts';

/** Who carries: the machine's name, for people; the version of pawl; the time. */
export type By = Readonly<{ host: string; pawl: string; at: string }>;

/** What is carried of a run. */
type RunContent = Readonly<{
  state: RunState;
  carry: Carry;
  by: By;
  /** Head of the run's branch. */
  head: string;
  /** As `readContent` gives them. */
  files: ReadonlyMap<string, Buffer>;
  /** Tree of the open work; undefined: that of the head. */
  work: string | undefined;
  /** What is pushed of the branch; undefined: nothing. */
  branch: BranchPush | undefined;
  /** What was written before. Default: nothing. */
  written?: Written;
}>;

/** Carries it; `now`: what the ref holds if that was taken. Failure('git') where the remote cannot be reached, or does not want it. */
export async function carryRun(
  repo: Repo,
  remote: Remote,
  { state, carry, by, head, files, work, branch, written = new Map() }: RunContent,
): Promise<Readonly<{ now: string; end: RunPushed }>> {
  const { run, branch: name } = state.started;
  const { owner, oid } = carry;
  const own = formatOwner({ ...by, state, head, ended: isFinished(state), owner });
  const now = await writeCarried(
    repo,
    {
      files: new Map(files).set('owner.json', own),
      work,
      parents: [...new Set([...(oid === undefined ? [] : [oid]), head])],
      message: `carried ${run}\n`,
    },
    written,
  );
  const end = await pushRun(repo, remote, { carry, now, branch, run: { id: run, branch: name, head } });
  if (end.kind === 'taken') await keepCarried(repo, run, now);
  return { now, end };
}

/** What was pushed stays whole here. */
async function keepCarried(repo: Repo, run: string, now: string): Promise<void> {
  const ref = carriedRef(run);
  await changeRefs(repo, 'keep carried', [{ ref, now, old: await readRef(repo, ref) }]);
}

/** The ref of this repository that holds what a run carried last. */
export function carriedRef(run: string): string {
  return pawlRef(run, 'carried');
}
