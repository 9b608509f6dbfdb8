// What a job begins from: its base with the work of the jobs before it, nothing that was not submitted.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { type Job, standsOn } from '../../fleet/job.ts';
import type { Offer } from '../../fleet/queue.ts';
import { mergeCommits } from '../../git/lane/merge-trees.ts';
import { descends } from '../../git/run/ancestry.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readPlanFile } from '../../plan/file.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { hashPlan } from '../../work/plan/plan-snapshot.ts';

/** The work of earlier jobs may exist only on their branches. `branches`: of the remote. */
export async function findBase(
  repo: Repo,
  job: Job,
  { after, branches }: Readonly<{ after: Offer['after']; branches: ReadonlyMap<string, string> }>,
): Promise<string> {
  const base = branches.get(`refs/heads/${job.base}`);
  if (base === undefined)
    throw new Failure('plan', `${job.repo} has no branch ${job.base}`, {
      hint: `git push origin ${job.base}`,
    });
  const before = standsOn(job, after);
  const ahead = before === undefined ? undefined : branches.get(`refs/heads/${before}`);
  return mergeBefore(repo, job, { base, before, ahead });
}

async function mergeBefore(
  repo: Repo,
  job: Job,
  { base, before, ahead }: Readonly<{ base: string; before: string | undefined; ahead: string | undefined }>,
): Promise<string> {
  if (before === undefined || ahead === undefined || (await descends(repo, ahead, base))) return base;
  if (await descends(repo, base, ahead)) return ahead;
  const message = `Merge ${before} into ${job.base}\n`;
  const merged = await mergeCommits(repo, { ours: base, theirs: ahead, message });
  if ('commit' in merged) return merged.commit;
  throw new Failure(
    'plan',
    `${before}, which it comes after, is in conflict with ${job.base}: ${fewOf(merged.conflicts)}; merge it, then submit the plan again`,
  );
}

/** Why nothing in the tree may run: it is not what was submitted. */
export function judgeTree(root: string, job: Job, isBegun: boolean): string | undefined {
  const hash = trustHash(findTrustFiles(root));
  if (hash !== job.trustHash)
    return `what would run in ${job.repo} is not what was submitted: its hash is ${hash}, not ${job.trustHash}`;
  if (isBegun) return undefined;
  const file = path.join(root, job.plan);
  const plan = existsSync(file) ? hashPlan(readPlanFile(file).text) : undefined;
  return plan === job.planHash ? undefined : `${job.plan} on ${job.base} is not the plan that was submitted`;
}
