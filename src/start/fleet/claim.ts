// Whether a job may have its branch on the remote: nothing is there, or an unfinished run of the same plan from the same
// base that nobody works on. Anything else is reported before money is spent.
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { Job } from '../../fleet/job.ts';
import type { Queue } from '../../fleet/queue.ts';
import { fetchRefs, type Remote } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readRun } from '../../phase/carry/owner.ts';
import { type Carried, listCarried } from '../carry/find-carried.ts';
import { readState } from '../carry/lay-out.ts';
import type { CliContext } from '../context.ts';

/** What distinguishes a run of a plan from others, together with its repository. */
export type JobIdentity = Readonly<{ plan: string; base: string; branch: string }>;

/**
 * What a remote has on a branch: the last carried unfinished run, and whether the branch has commits that the base does
 * not.
 */
export type OnBranch<Run = Pick<Carried, 'run' | 'plan' | 'base' | 'host' | 'job'>> = Readonly<{
  run: (Run & Readonly<{ isAtWork: boolean }>) | undefined;
  isAhead: boolean;
  /** The run last finished on it. */
  finished?: Readonly<{ run: string; plan: string; host: string }>;
}>;

/** What follows. `busy`: it may be over soon; `elsewhere`: a person is working on its plan. */
export type Claim =
  | Readonly<{ kind: 'free' }>
  | Readonly<{ kind: 'goesOn' }>
  | Readonly<{ kind: 'busy' | 'elsewhere' | 'theirs'; says: string; helps: string }>;

export function judgeClaim({ plan, base, branch }: JobIdentity, { run, isAhead, finished }: OnBranch): Claim {
  const another = `--branch ${branch}-2 gives this one a branch of its own`;
  if (!run && !isAhead) return { kind: 'free' };
  if (!run && finished?.plan === plan)
    return {
      kind: 'theirs',
      says: `${plan} is done: its work is on ${branch}, and not in ${base} (run ${finished.run}, finished by ${finished.host})`,
      helps: `Merge it: git merge origin/${branch}. To do the whole plan again, ${another}.`,
    };
  if (!run)
    return {
      kind: 'theirs',
      says: `origin already has a branch ${branch}, with commits that ${base} does not have and no unfinished run of ${plan}`,
      helps: `If nobody needs it: git push origin --delete ${branch}. Otherwise ${another}.`,
    };
  const isSame = run.plan === plan && (run.base === undefined || run.base === base);
  if (!isSame)
    return {
      kind: 'theirs',
      says: `run ${run.run} on the branch ${branch} is not of ${plan} on ${base}, but of ${run.plan}${run.base === undefined ? '' : ` on ${run.base}`}, and not finished`,
      helps: `${another[0]?.toUpperCase()}${another.slice(1)}.`,
    };
  if (!run.isAtWork) return { kind: 'goesOn' };
  return {
    kind: run.job === undefined ? 'elsewhere' : 'busy',
    says: `${run.host} is working on ${plan}: run ${run.run}, on ${branch}`,
    helps:
      run.job === undefined
        ? 'Stop it there; then submit the plan, and the fleet continues it.'
        : `\`pawl fleet stop ${run.job.slice(0, 8)}\` stops it; then submit the plan, and the fleet continues it.`,
  };
}

/** A run at work is carried at least this often, however that is set, in milliseconds. */
const leastSilenceMs = 2 * 60_000;

/** Reads it. `runs`: those carried there; `start`: the commit that the base is at; `everyMs`: how often one is carried. */
export async function readOnBranch(
  repo: Repo,
  remote: Remote,
  {
    branch,
    start,
    runs,
    branches,
    now,
    everyMs,
  }: Readonly<{
    branch: string;
    start: string | undefined;
    runs: readonly Carried[];
    branches: ReadonlyMap<string, string>;
    now: number;
    everyMs: number;
  }>,
): Promise<OnBranch<Carried>> {
  const ref = `refs/heads/${branch}`;
  const head = branches.get(ref);
  if (head !== undefined) await fetchRefs(repo, remote, [ref]);
  const isAhead = head !== undefined && (start === undefined || !(await descends(repo, head, start)));
  const open = runs.find((run) => !run.ended && run.branch === branch);
  if (!open) {
    const finished = runs.find((run) => run.branch === branch);
    return { run: undefined, isAhead, ...defined({ finished }) };
  }
  const state = readState({ ...open, ...(await readRun(repo, open.oid)) });
  const isSilent = now - Date.parse(open.at) > Math.max(2 * everyMs, leastSilenceMs);
  return { run: { ...open, isAtWork: !state.ended && !isSilent }, isAhead };
}

/** The unfinished run that it continues, if any; throws Failure('preflight') if its branch is another's. */
export async function refuseTaken(
  context: CliContext,
  { repo, queue, job, commit }: Readonly<{ repo: Repo; queue: Queue; job: Job; commit: string }>,
): Promise<Carried | undefined> {
  const remote = { name: 'origin', clockMs: fixed.carryPatienceMs };
  const there = await listCarried(repo, remote, { plan: job.plan });
  const { run, ...on } = await readOnBranch(repo, remote, {
    ...{ ...there, branch: job.branch, start: commit },
    ...{ now: context.now().getTime(), everyMs: fixed.carryEveryMs },
  });
  const isOver = run?.job !== undefined && (await queue.find(run.job))?.result !== undefined;
  const claim = judgeClaim(job, { ...on, run: run && { ...run, isAtWork: run.isAtWork && !isOver } });
  if (claim.kind === 'goesOn') return run;
  if (claim.kind === 'free') return undefined;
  throw new Failure('preflight', claim.says, { hint: claim.helps });
}
