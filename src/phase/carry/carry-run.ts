// Carries a run once, as a commit pushed under a lease. Local refs keep the last commit tried and the last accepted.
import { defined } from '../../defined.ts';
import { type Written, writeCarried } from '../../git/carry/carried-commit.ts';
import type { BranchPush, Remote } from '../../git/carry/remote.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import type { Carry } from '../../journal/state-parts.ts';
import { carriedRefs, formatOwner } from './owner.ts';
import { pushRun, type RunPushed } from './push-run.ts';

/** `host`: for people; `pawl`: its version. */
export type By = Readonly<{ host: string; pawl: string; at: string }>;

type RunContent = Readonly<{
  state: RunState;
  carry: Carry;
  by: By;
  head: string;
  /** From `readContent`. */
  files: ReadonlyMap<string, Buffer>;
  /** Tree of the open work; undefined: the head's. */
  work: string | undefined;
  branch: BranchPush | undefined;
  written?: Written;
}>;

/** `now`: the ref's content if accepted. Throws Failure('git') if the remote cannot be reached or refuses. */
export async function carryRun(
  repo: Repo,
  remote: Remote,
  { state, carry, by, head, files, work, branch, written = new Map() }: RunContent,
): Promise<Readonly<{ now: string; end: RunPushed }>> {
  const { run } = state.started;
  const { owner, oid } = carry;
  const { pushed, tried } = carriedRefs(run);
  const last = (await readRef(repo, tried)) ?? oid;
  const own = formatOwner({
    ...by,
    state,
    head,
    ended: isFinished(state),
    owner,
    ...defined({ job: carry.job }),
  });
  const now = await writeCarried(
    repo,
    {
      files: new Map(files).set('owner.json', own),
      work,
      parents: [...new Set([...(last === undefined ? [] : [last]), head])],
      message: `carried ${run}\n`,
    },
    written,
  );
  // Before the push: one whose answer is lost is recognized.
  await keepCarried(repo, tried, now);
  const end = await pushRun(repo, remote, { carry, now, branch, run });
  if (end.kind === 'taken' && end.branch === undefined) await keepCarried(repo, pushed, now);
  return { now, end };
}

export async function keepCarried(repo: Repo, ref: string, now: string): Promise<void> {
  await changeRefs(repo, 'keep carried', [{ ref, now, old: await readRef(repo, ref) }]);
}
