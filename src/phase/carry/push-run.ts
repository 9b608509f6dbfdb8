// Carries a run once, as a commit pushed under a lease, with its branch if that moved. A refusal may mean another
// machine, a stale lease, others' pushes. Local refs keep the last commit tried and the last accepted.
import { defined } from '../../defined.ts';
import { asFailure, Failure } from '../../failure.ts';
import { writeCarried } from '../../git/carry/carried-commit.ts';
import { type BranchPush, findAhead, pushLeased, type Remote } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { type Carry, isFinished, type RunState } from '../../journal/state.ts';
import { type CarriedRun, carriedRefs, formatOwner, isWrittenHere, keepCarried, readTip } from './owner.ts';

type RunContent = Readonly<{
  state: RunState;
  carry: Carry;
  /** Of this machine, for people. */
  host: string;
  now: Date;
  head: string;
  /** From `readContent`. */
  files: ReadonlyMap<string, Buffer>;
  /** The open work, if known. */
  tree: string | undefined;
  withBranch: boolean;
}>;

/**
 * `now`: the ref's content if accepted; `parted`: why the branch was left out; `fenced`: who else has the run. Throws
 * Failure('git') if the remote cannot be reached or refuses.
 */
export async function carryRun(
  repo: Repo,
  remote: Remote,
  { state, carry, head, files, tree, withBranch, ...by }: RunContent,
): Promise<Readonly<{ now: string }> & RunPushed> {
  const { run, plan, branch: name } = state.started;
  const { pushed, tried } = carriedRefs(run);
  const last = (await readRef(repo, tried)) ?? carry.oid;
  const own = formatOwner({
    ...{ run, plan, branch: name, host: by.host, at: by.now.toISOString(), head, ended: isFinished(state) },
    ...defined({ base: state.branchFrom, job: carry.job }),
  });
  const now = await writeCarried(repo, {
    files: new Map(files).set('owner.json', own),
    work: tree === (await repo.git(['rev-parse', `${head}^{tree}`])).trim() ? undefined : tree,
    parents: [...new Set([...(last === undefined ? [] : [last]), head])],
    message: `carried ${run}\n`,
  });
  // Before the push: one whose answer is lost is recognized.
  await keepCarried(repo, tried, now);
  const branch = withBranch ? await branchAt(repo, { state, carry, head }) : undefined;
  const end = await pushRun(repo, remote, { run, carry, now, branch });
  // Of the end, no fact tells it: without its branch the same command tries again.
  const isWhole = end.parted === undefined || !isFinished(state);
  if (!end.fenced && isWhole) await keepCarried(repo, pushed, now);
  return { now, ...end };
}

type Push = Readonly<{ run: string; carry: Carry; now: string; branch: BranchPush | undefined }>;

type RunPushed = Readonly<{ parted?: string | undefined; fenced?: Taker }>;

/** Repeatedly if that helps; else throws Failure('git'). */
async function pushRun(repo: Repo, remote: Remote, { run, carry, now, ...given }: Push): Promise<RunPushed> {
  const ref = carriedRefs(run).pushed;
  let { branch } = given;
  let { oid: old } = carry;
  let parted: string | undefined;
  for (let tries = 0; ; tries += 1) {
    const end = await pushLeased(repo, remote, { ref, old, now, branch });
    if (end === 'taken') return { parted };
    if (tries > 2) throw new Failure('git', end.why);
    const { there, taker } = await judgeThere(repo, remote, { run, oid: old });
    // An earlier push's answer was lost.
    if (there?.oid === now && !branch) return {};
    if (taker) return { fenced: taker };
    // If somebody removed the ref, it is created again.
    if (there?.oid === old) {
      parted = branch && (await findParting(repo, remote, branch));
      if (branch && end.of === 'branch')
        parted ??= `${remote.name} does not take the branch ${branch.name}: ${end.why}`;
      if (parted === undefined) throw new Failure('git', end.why);
      branch = undefined;
    }
    old = there?.oid;
  }
}

/** Another machine's; with what it carried, if that can be read. */
export type Taker = Partial<CarriedRun> & Pick<CarriedRun, 'host' | 'at'>;

/** What the remote has, which is `taker` if another machine wrote it, perhaps a later pawl, unreadably. */
export async function judgeThere(
  repo: Repo,
  remote: Remote,
  { run, oid }: Readonly<{ run: string; oid: string | undefined }>,
): Promise<Readonly<{ there?: CarriedRun; taker?: Taker }>> {
  try {
    const there = await readTip(repo, remote, run);
    if (!there) return {};
    return (await isWrittenHere(repo, there, { run, oid })) ? { there } : { there, taker: there };
  } catch (error) {
    if (oid === undefined || asFailure(error)?.code !== 'preflight') throw error;
    return { taker: { host: 'another machine', at: 'an unknown time' } };
  }
}

/** In words; undefined if it has not diverged. */
async function findParting(
  repo: Repo,
  remote: Remote,
  { name, oid, over }: BranchPush,
): Promise<string | undefined> {
  const there = await findAhead(repo, remote, { name, oid });
  if (there === undefined || there === over) return undefined;
  return `the branch ${name} on ${remote.name} has ${there.slice(0, 12)}, which the run does not have`;
}

/** As a fast-forward; if the run took commits back or rewrote them, over what was carried last. */
async function branchAt(
  repo: Repo,
  { state, carry, head: oid }: Pick<RunContent, 'state' | 'carry' | 'head'>,
): Promise<BranchPush> {
  const over = carry.head;
  const isRewritten = over !== undefined && !(await descends(repo, over, oid));
  return { name: state.started.branch, oid, ...(isRewritten ? { over } : {}) };
}
