// How a start of a job continues, given what its remote has for it and what earlier lives of it left on this machine.
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { type Job, judgeEnding, type Result } from '../../fleet/job.ts';
import type { Offer } from '../../fleet/queue.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readRun } from '../../phase/carry/owner.ts';
import { type Carried, listCarried } from '../carry/find-carried.ts';
import { readState } from '../carry/lay-out.ts';
import type { CliContext } from '../context.ts';
import { type Claim, judgeClaim, readOnBranch } from './claim.ts';
import { describeEnd, isJobOf, type JobStart, judgeStart, type Life } from './judge-life.ts';
import { lookAt } from './lives.ts';

/** What the remote has for a job. `found`: its own run, or the one on its branch that it may continue. */
export type There = Readonly<{
  found: Carried | undefined;
  claim: Claim;
  branches: ReadonlyMap<string, string>;
}>;

/** Finds it. `roots`: clones that earlier starts of the job left here. */
export async function findStart(
  context: CliContext,
  repo: Repo,
  given: Readonly<{ offer: Offer; job: Job; roots: readonly string[]; config: Config }>,
): Promise<Readonly<{ start: JobStart; there: There }>> {
  const { id } = given.offer;
  const there = await readThere(context, repo, given);
  const { found, claim } = there;
  const lives: Life[] = [];
  for (const root of given.roots) lives.push({ root, standing: await lookAt(context, root, found) });
  const result = found && (await resultOf(repo, found, id));
  return { start: judgeStart(id, { found, lives, claim, result }), there };
}

async function readThere(
  context: CliContext,
  repo: Repo,
  { offer, job }: Parameters<typeof findStart>[2],
): Promise<There> {
  const remote = { name: 'origin', clockMs: fixed.carryPatienceMs };
  const { runs, branches } = await listCarried(repo, remote, { plan: job.plan });
  const own = runs.find((run) => isJobOf(run, offer.id));
  if (own) return { found: own, claim: { kind: 'goesOn' }, branches };
  const on = await readOnBranch(repo, remote, {
    ...{ runs, branches, branch: job.branch, start: branches.get(`refs/heads/${job.base}`) },
    ...{ now: context.now().getTime(), everyMs: fixed.carryEveryMs },
  });
  const claim = judgeClaim(job, on);
  return { found: claim.kind === 'goesOn' ? on.run : undefined, claim, branches };
}

/** The end that the run has already come to, if only the queue does not know. */
async function resultOf(repo: Repo, found: Carried, id: string): Promise<Result | undefined> {
  if (!isJobOf(found, id)) return undefined;
  const state = readState({ ...found, ...(await readRun(repo, found.oid)) });
  if (!state.ended || !(found.ended || found.job === id)) return undefined;
  const holders = await repo.git(['for-each-ref', '--contains', found.head, 'refs/remotes/origin']);
  const verdict = judgeEnding({
    ...{ exit: state.ended.exit, says: describeEnd(state), fenced: false, uncarried: false },
    ...{ parted: found.ended && holders.trim() === '', draining: false, troubles: 0 },
  });
  return verdict.kind === 'over' ? verdict.result : undefined;
}
