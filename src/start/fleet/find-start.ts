// How a job's start continues, by what its remote has: its own run, another on its branch, or nothing.
import { fixed } from '../../config/fixed.ts';
import { type Job, type JobOver, over, type Result } from '../../fleet/job.ts';
import { fetchRefs } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Repo } from '../../git/run/repo.ts';
import { type CarriedRun, readRun } from '../../phase/carry/owner.ts';
import { listCarried } from '../carry/find-carried.ts';
import { readJournalOf } from '../carry/lay-out.ts';
import { remoteNamed } from '../carry/prepare-carry.ts';
import { describeEnd, judgeEnding } from './judge-end.ts';

/** `wait`: somebody is still working on it. */
export type JobStart =
  | JobOver
  | Readonly<{ kind: 'wait'; says: string }>
  | Readonly<{ kind: 'take'; run: CarriedRun }>
  | Readonly<{ kind: 'begin' }>;

/**
 * `own`: the job's run, with its result if over; `open`, `finished`: the unfinished and the last finished run
 * on its branch; `isAhead`: the branch has commits that its base lacks.
 */
export type BranchThere = Readonly<{
  own?: Readonly<{ run: CarriedRun; result: Result | undefined }> | undefined;
  open?: Readonly<{ run: CarriedRun; isAtWork: boolean }> | undefined;
  finished?: CarriedRun | undefined;
  isAhead: boolean;
}>;

export function judgeStart(
  { plan, base, branch }: Pick<Job, 'plan' | 'base' | 'branch'>,
  { own, open, finished, isAhead }: BranchThere,
): JobStart {
  if (own?.result) return { kind: 'over', result: own.result };
  if (own) return { kind: 'take', run: own.run };
  const another = `--branch ${branch}-2 gives this one a branch of its own`;
  if (open) {
    const { run, isAtWork } = open;
    if (run.plan !== plan || (run.base !== undefined && run.base !== base))
      return over(
        'parted',
        2,
        `${branch} is the branch of run ${run.run} of ${run.plan}, which is not finished; ${another}`,
      );
    if (!isAtWork) return { kind: 'take', run };
    const says = `${run.host} is working on ${plan}: run ${run.run}, on ${branch}`;
    return run.job === undefined ? over('elsewhere', 8, says) : { kind: 'wait', says };
  }
  if (!isAhead) return { kind: 'begin' };
  if (finished?.plan === plan)
    return over(
      'elsewhere',
      8,
      `${plan} is done: its work is on ${branch}, and not in ${base} (run ${finished.run}, finished by ${finished.host}). Merge it; to do the whole plan again, ${another}`,
    );
  return over(
    'parted',
    2,
    `origin already has a branch ${branch}, with commits that ${base} does not have and no unfinished run of ${plan}. If nobody needs it: git push origin --delete ${branch}. Otherwise ${another}`,
  );
}

/** A run at work is carried at least this often, whatever the setting. */
const leastSilenceMs = 2 * 60_000;

/** `repo`: a clone; `branches`: of the remote. */
export async function findStart(
  repo: Repo,
  { id, job, now }: Readonly<{ id: string; job: Job; now: number }>,
): Promise<Readonly<{ start: JobStart; branches: ReadonlyMap<string, string> }>> {
  const remote = remoteNamed();
  const { runs, branches } = await listCarried(repo, remote, { plan: job.plan });
  const own = runs.find((run) => run.job === id);
  const onBranch = runs.filter(({ branch }) => branch === job.branch);
  const open = onBranch.find(({ ended }) => !ended);
  const ref = `refs/heads/${job.branch}`;
  const head = branches.get(ref);
  if (head !== undefined) await fetchRefs(repo, remote, [ref]);
  const base = branches.get(`refs/heads/${job.base}`);
  const there: BranchThere = {
    own: own && { run: own, result: await resultOf(repo, own) },
    open: open && { run: open, isAtWork: await isAtWork(repo, open, now) },
    finished: onBranch[0],
    isAhead: head !== undefined && (base === undefined || !(await descends(repo, head, base))),
  };
  return { start: judgeStart(job, there), branches };
}

async function isAtWork(repo: Repo, { at, oid }: CarriedRun, now: number): Promise<boolean> {
  const isSilent = now - Date.parse(at) > Math.max(2 * fixed.carryEveryMs, leastSilenceMs);
  return !isSilent && !readJournalOf(await readRun(repo, oid)).state.course.ended;
}

/** The run's end, if only the queue does not know it. */
async function resultOf(repo: Repo, run: CarriedRun): Promise<Result | undefined> {
  const state = readJournalOf(await readRun(repo, run.oid)).state;
  if (!state.course.ended) return undefined;
  const holders = await repo.git(['for-each-ref', '--contains', run.head, 'refs/remotes/origin']);
  const uncarried = run.ended && holders.trim() === '';
  const ending = { exit: state.course.ended.exit, says: describeEnd(state), uncarried };
  const verdict = judgeEnding(ending, { draining: false, troubles: 0 });
  return verdict.kind === 'over' ? verdict.result : undefined;
}
