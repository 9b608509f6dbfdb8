// Carries a run once: what is known of it, as a commit, pushed under a lease. One local ref keeps the last commit that was
// tried, another the last that was accepted, with everything belonging to it.
import { defined } from '../../defined.ts';
import { type Written, writeCarried } from '../../git/carry/carried-commit.ts';
import type { BranchPush, Remote } from '../../git/carry/remote.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { Carry } from '../../journal/carry-state.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { carriedRefs, formatOwner } from './owner.ts';
import { pushRun, type RunPushed } from './push-run.ts';

/** Who carries: the machine's name, shown to people; pawl's version; the time. */
export type By = Readonly<{ host: string; pawl: string; at: string }>;

type RunContent = Readonly<{
  state: RunState;
  carry: Carry;
  by: By;
  /** Head of the run's branch. */
  head: string;
  /** As returned by `readContent`. */
  files: ReadonlyMap<string, Buffer>;
  /** Tree of the open work; undefined: the same as the head's. */
  work: string | undefined;
  /** What to push of the branch; undefined: nothing. */
  branch: BranchPush | undefined;
  /** What was written before; default nothing. */
  written?: Written;
}>;

/**
 * Carries the run; `now`: what the ref holds if the push was accepted. Throws Failure('git') if the remote cannot be
 * reached or refuses.
 */
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
  // Before the push, so that a push whose answer was lost is recognized.
  await keepCarried(repo, tried, now);
  const end = await pushRun(repo, remote, { carry, now, branch, run });
  if (end.kind === 'taken' && end.branch === undefined) await keepCarried(repo, pushed, now);
  return { now, end };
}

/** Keeps everything that a carried commit needs in this repository. */
export async function keepCarried(repo: Repo, ref: string, now: string): Promise<void> {
  await changeRefs(repo, 'keep carried', [{ ref, now, old: await readRef(repo, ref) }]);
}
