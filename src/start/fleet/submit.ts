// Puts a plan into the queue of a fleet: as it is on its base branch of the remote, with what would run there. What is not pushed
// is refused here, where somebody can push it.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { type Job, jobSchema, keyOf, withoutSecret } from '../../fleet/job.ts';
import { fetchRefs, readRemoteRefs, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { branchName } from '../../plan/branch.ts';
import { locatePlan, readPlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { commandsOf } from '../../plan/plan.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { hashPlan } from '../../work/plan/plan-snapshot.ts';
import { describeAsker } from '../carry/prepare-carry.ts';
import { obtainTrust } from '../consent.ts';
import { type CliContext, print, printNote } from '../context.ts';
import { needPlace } from '../find-run.ts';
import { openPlace } from '../open-place.ts';
import { refuseTaken } from './claim.ts';
import { openFleet } from './settings.ts';
import { findJob, needJob } from './view.ts';
import { readMost, waitFor } from './wait-for.ts';

/** Options of `pawl submit` as its command gets them. */
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

/** Submits it, and waits for its end if asked to; the exit code is then that of the run. */
export async function submitPlan(
  context: CliContext,
  given: string,
  options: SubmitOptions,
): Promise<number> {
  const mostMs = readMost(options.waitAtMost);
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const { file } = locatePlan(given, context.cwd);
  const text = readPlanFile(file).text;
  const plan = path.relative(place.root, file).split(path.sep).join('/');
  const base = options.base ?? readHead(place).branch;
  if (base === undefined)
    throw new Failure('preflight', 'no branch is checked out for the plan to start from', {
      hint: 'Name it: --base main',
    });
  const branch = options.branch ?? branchName(plan);
  if (branch === base)
    throw new Failure(
      'preflight',
      `the run of ${plan} would work on ${base} itself, the branch that it starts from`,
      {
        hint: `Name another branch for it: --branch ${branch}-2`,
      },
    );
  const commit = await findBase(repo, base, config.carry.patience);
  await refuseOther(repo, { plan, text, base, commit });
  await obtainTrust(context, {
    root: place.root,
    checks: commandsOf(parsePlan(text, given)),
    ...defined({ trust: options.trust, trustHash: options.trustHash }),
  });
  const files = findTrustFiles(place.root);
  await refuseUnpushed(repo, { files: files.map((each) => each.path), base, commit });
  const job = makeJob({
    repo: withoutSecret(options.repo ?? (await urlOf(repo))),
    ...{ base, branch, plan },
    planHash: hashPlan(text),
    trustHash: trustHash(files),
    labels: [...new Set(options.label ?? [])].sort(),
    options: defined({
      jobs: numberOf(options.jobs),
      maxCost: numberOf(options.maxCost),
      keepGoing: options.keepGoing || undefined,
      push: options.push || undefined,
      pr: options.pr || undefined,
    }) as Job['options'],
    ...(options.repo === undefined ? {} : { repoNamed: true }),
    by: describeAsker(context, config),
  });
  await using fleet = await openFleet(config);
  const { queue } = fleet;
  const goesOn = await refuseTaken(context, { repo, config, queue, job, commit });
  const after = options.after === undefined ? undefined : await needJob(queue, options.after);
  const id = randomUUID();
  await queue.submit({
    ...{ id, job, key: keyOf(job, config.fleet.key), heartbeatMs: config.fleet.heartbeat },
    ...{ priority: numberOf(options.priority) ?? 0, after: after?.id },
  });
  if (!options.json) print(context, `Submitted ${plan} on ${base} as ${id}.`);
  if (goesOn)
    printNote(
      context,
      `It goes on with run ${goesOn.run}, which ${goesOn.host} carried last at ${goesOn.at}.`,
    );
  if (!options.wait && mostMs === undefined) {
    const lack = (await findJob(fleet, id))?.lack;
    if (lack) printNote(context, `For now ${lack}.`);
    if (options.json) print(context, JSON.stringify({ id, job }, null, 2));
    return 0;
  }
  // Awaited here: the fleet is closed when this returns.
  return await waitFor(context, fleet, { id, json: options.json ?? false, mostMs });
}

function makeJob(job: Job): Job {
  const read = jobSchema.safeParse(job);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure('usage', `this cannot be a job of a fleet: ${issue?.path.join('.')}: ${issue?.message}`);
}

async function urlOf(repo: Repo): Promise<string> {
  return (await repo.git(['remote', 'get-url', 'origin'])).trim();
}

/** The base branch as the remote has it. */
async function findBase(repo: Repo, base: string, clockMs: number): Promise<string> {
  const remote = { name: 'origin', clockMs };
  await refuseUnknownRemote(repo, remote.name);
  const ref = `refs/heads/${base}`;
  const commit = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (commit === undefined)
    throw new Failure('preflight', `origin has no branch ${base}`, { hint: `git push origin ${base}` });
  await fetchRefs(repo, remote, [ref]);
  return commit;
}

async function refuseOther(
  repo: Repo,
  { plan, text, base, commit }: Readonly<{ plan: string; text: string; base: string; commit: string }>,
): Promise<void> {
  const there = await repo.git(['ls-tree', '--name-only', commit, '--', plan]);
  const what =
    there.trim() === ''
      ? `${plan} is not on ${base} of origin`
      : (await repo.git(['cat-file', 'blob', `${commit}:${plan}`])) === text
        ? undefined
        : `${plan} differs from origin/${base}`;
  if (what === undefined) return;
  throw new Failure('preflight', what, {
    hint: `Workers take it from there: git add ${plan} && git commit -m "${path.basename(plan)}" && git push origin ${base}`,
  });
}

/** What would run on a worker has to be what was looked at here. */
async function refuseUnpushed(
  repo: Repo,
  { files, base, commit }: Readonly<{ files: readonly string[]; base: string; commit: string }>,
): Promise<void> {
  if (files.length === 0) return;
  const lines = async (args: readonly string[]) =>
    (await repo.git(args)).split('\0').filter((each) => each !== '');
  const there = new Set(
    await lines(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', ...files]),
  );
  const changed = await lines(['diff', '--name-only', '-z', commit, '--', ...files]);
  const other = [...new Set([...files.filter((file) => !there.has(file)), ...changed])];
  if (other.length === 0) return;
  throw new Failure('trust', `what would run differs from origin/${base}: ${fewOf(other)}`, {
    hint: `Commit and push these files, or submit from a clean clone: a worker runs what is on ${base}.`,
  });
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
