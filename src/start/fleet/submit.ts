// Puts a plan into the queue of a fleet: as it is on its base branch of the remote, with what would run there.

import { randomUUID } from 'node:crypto';
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { type Job, jobSchema, keyOf, withoutSecret } from '../../fleet/job.ts';
import { readRemoteUrl } from '../../git/porcelain.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { branchName } from '../../plan/branch.ts';
import { formatMoment } from '../../report/text/figure.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { hashPlan } from '../../work/plan/plan-snapshot.ts';
import { describeAsker } from '../carry/prepare-carry.ts';
import { isConfirmed } from '../confirm.ts';
import { obtainTrust } from '../consent.ts';
import { type CliContext, print, printNote } from '../context.ts';
import { needPlace } from '../find-run.ts';
import type { Place } from '../locate.ts';
import { openPlace } from '../open-place.ts';
import { refuseTaken } from './claim.ts';
import { type Fleet, openFleet } from './settings.ts';
import { describeNamed, findBase, readSubmitted, refuseOther, refuseUnpushed } from './submittable.ts';
import { findJob, needJob } from './view.ts';
import { readMost, waitFor } from './wait-for.ts';

/** Options of `pawl fleet submit` as its command gets them. */
export type SubmitOptions = Readonly<{
  repo?: string;
  base?: string;
  branch?: string;
  label?: readonly string[];
  after?: string;
  priority?: string;
  wait?: boolean;
  waitAtMost?: string;
  json?: boolean;
  trust?: boolean;
  trustHash?: string;
  jobs?: string;
  maxCost?: string;
  keepGoing?: boolean;
  push?: boolean;
  pr?: boolean;
}>;

/** Submits it, and waits for its end if asked to; the exit code is then the run's. */
export async function submitPlan(
  context: CliContext,
  given: string,
  options: SubmitOptions,
): Promise<number> {
  const mostMs = readMost(options.waitAtMost);
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const { plan, text, checks } = readSubmitted(context, given, { place, config });
  const { base, branch } = branchesFor(plan, options, place);
  const commit = await findBase(repo, base, fixed.carryPatienceMs);
  await refuseOther(repo, { plan, text, base, commit });
  const files = findTrustFiles(place.root);
  await refuseUnpushed(repo, { files: files.map((each) => each.path), base, commit });
  const trust = defined({ trust: options.trust, trustHash: options.trustHash });
  await obtainTrust(context, { root: place.root, checks, ...trust });
  const job = makeJob({
    repo: withoutSecret(options.repo ?? (await readRemoteUrl(repo, 'origin'))),
    ...{ base, branch, plan, planHash: hashPlan(text), trustHash: trustHash(files) },
    ...askedBy(options),
    by: describeAsker(context, config),
  });
  const named = options.repo === undefined ? undefined : { url: job.repo, base, commit };
  const doubt = named && (await describeNamed(repo, { ...named, clockMs: fixed.carryPatienceMs }));
  if (doubt) await confirmAddress(context, doubt);
  await using fleet = await openFleet(config);
  const goesOn = await refuseTaken(context, { repo, queue: fleet.queue, job, commit });
  const id = await send(fleet, job, options);
  if (!options.json) print(context, `Submitted ${plan} on ${base} as ${id}.`);
  if (goesOn)
    printNote(
      context,
      `It continues run ${goesOn.run}, which ${goesOn.host} last carried on ${formatMoment(Date.parse(goesOn.at))}.`,
    );
  // Awaited here, since the fleet is closed when this returns.
  if (options.wait || mostMs !== undefined)
    return await waitFor(context, fleet, { id, json: options.json ?? false, mostMs });
  const lack = (await findJob(fleet, id))?.lack;
  if (lack) printNote(context, `For now ${lack}.`);
  if (options.json) print(context, JSON.stringify({ id, job }, null, 2));
  return 0;
}

/** A mistyped address would be noticed only when a worker fails; a script may know better. */
async function confirmAddress(context: CliContext, doubt: string): Promise<void> {
  printNote(context, doubt);
  if (!context.canAsk || (await isConfirmed(context, 'Submit it anyway?'))) return;
  throw new Failure('usage', 'nothing was submitted', { hint: 'Correct --repo, or leave it out.' });
}

function branchesFor(plan: string, options: SubmitOptions, place: Place): Pick<Job, 'base' | 'branch'> {
  const base = options.base ?? readHead(place).branch;
  if (base === undefined)
    throw new Failure('preflight', 'no branch is checked out for the plan to start from', {
      hint: 'Name it: --base main',
    });
  const branch = options.branch ?? branchName(plan);
  if (branch !== base) return { base, branch };
  throw new Failure(
    'preflight',
    `the run of ${plan} would work on ${base} itself, the branch that it starts from`,
    { hint: `Name another branch for it: --branch ${branch}-2` },
  );
}

function askedBy(options: SubmitOptions): Pick<Job, 'labels' | 'options' | 'repoNamed'> {
  const { jobs, maxCost, keepGoing, push, pr } = options;
  return {
    labels: [...new Set(options.label ?? [])].sort(),
    options: defined({
      ...{ jobs: numberOf(jobs), maxCost: numberOf(maxCost), keepGoing: keepGoing || undefined },
      ...{ push: push || undefined, pr: pr || undefined },
    }) as Job['options'],
    ...(options.repo === undefined ? {} : { repoNamed: true }),
  };
}

async function send({ queue }: Fleet, job: Job, options: SubmitOptions): Promise<string> {
  const after = options.after === undefined ? undefined : await needJob(queue, options.after);
  const id = randomUUID();
  await queue.submit({
    ...{ id, job, key: keyOf(job), heartbeatMs: fixed.heartbeatMs },
    ...{ priority: numberOf(options.priority) ?? 0, after: after?.id },
  });
  return id;
}

function makeJob(job: Job): Job {
  const read = jobSchema.safeParse(job);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure('usage', `this cannot be a job of a fleet: ${issue?.path.join('.')}: ${issue?.message}`);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
