// Pushes a run under a lease, and its branch if moved. A refusal may mean another machine, a stale lease, others'
// pushes.
import { defined } from '../../defined.ts';
import { asFailure, Failure } from '../../failure.ts';
import {
  type BranchPush,
  fetchRefs,
  pushLeased,
  type Remote,
  readRemoteRefs,
} from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunState } from '../../journal/state.ts';
import type { Carry } from '../../journal/state-parts.ts';
import { type CarryJudgement, judgeCarry } from './judge-carry.ts';
import { type CarriedRun, findOrigin, readTip } from './owner.ts';

type RunPush = Readonly<{
  carry: Pick<Carry, 'ref' | 'oid'>;
  now: string;
  branch: BranchPush | undefined;
  run: string;
}>;

/** `branch`: why it was left out. `fenced`: another machine has the run, at `theirs`. */
export type RunPushed =
  | Readonly<{ kind: 'taken'; branch?: string }>
  | Readonly<{ kind: 'fenced'; by: Readonly<{ host: string; at: string }>; theirs: string | undefined }>;

/** Repeatedly if that helps; else throws Failure('git'). */
export async function pushRun(repo: Repo, remote: Remote, given: RunPush): Promise<RunPushed> {
  const { carry, now } = given;
  const { ref } = carry;
  let { branch } = given;
  let old = carry.oid;
  let why: string | undefined;
  for (let tries = 0; ; tries += 1) {
    const end = await pushLeased(repo, remote, { ref, old, now, branch });
    if (end === 'taken') return { kind: 'taken', ...defined({ branch: why }) };
    if (tries > 2) throw new Failure('git', end.why);
    const judged = await judgeThere(repo, remote, { run: given.run, ref, old });
    const { there } = judged;
    // An earlier push's answer was lost.
    if (there?.oid === now && !branch) return { kind: 'taken' };
    if (judged.kind === 'fenced') return { kind: 'fenced', by: judged.by, theirs: there?.head };
    const next = judged.kind === 'gone' ? undefined : judged.old;
    if (next === old) {
      why = branch && (await findParting(repo, remote, branch));
      if (branch && end.of === 'branch')
        why ??= `${remote.name} does not take the branch ${branch.name}: ${end.why}`;
      if (why === undefined) throw new Failure('git', end.why);
      branch = undefined;
    }
    old = next;
  }
}

const unknown = { host: 'another machine', at: 'an unknown time' };

/** Whose the run is by what the remote has now. Another pawl, perhaps later, moved one that cannot be read. */
export async function judgeThere(
  repo: Repo,
  remote: Remote,
  { run, ref, old }: Readonly<{ run: string; ref: string; old: string | undefined }>,
): Promise<CarryJudgement & Readonly<{ there?: CarriedRun | undefined }>> {
  try {
    const there = await readTip(repo, remote, ref);
    return { ...judgeCarry(defined({ oid: old }), there, await findOrigin(repo, run, there)), there };
  } catch (error) {
    if (old === undefined || asFailure(error)?.code !== 'preflight') throw error;
    return { kind: 'fenced', by: unknown };
  }
}

/** As a fast-forward; if the run took commits back or rewrote them, over what was carried last. */
export async function branchAt(
  repo: Repo,
  { started, carry }: Pick<RunState, 'started' | 'carry'>,
  head: string,
): Promise<BranchPush> {
  const over = carry?.head;
  const isRewritten = over !== undefined && !(await descends(repo, over, head));
  return { name: started.branch, oid: head, ...(isRewritten ? { over } : {}) };
}

/** In words; undefined if it has not diverged. */
async function findParting(
  repo: Repo,
  remote: Remote,
  { name, oid, over }: BranchPush,
): Promise<string | undefined> {
  const ref = `refs/heads/${name}`;
  const there = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (there === undefined || there === over) return undefined;
  await fetchRefs(repo, remote, [ref]);
  if (await descends(repo, there, oid)) return undefined;
  return `the branch ${name} on ${remote.name} has ${there.slice(0, 12)}, which the run does not have`;
}
