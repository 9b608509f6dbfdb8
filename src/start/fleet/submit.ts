// Puts a plan into a fleet's queue, as it is on its remote base branch. What a worker would not find there is refused
// here, where somebody can push it.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { digestText } from '../../digest.ts';
import { Failure } from '../../failure.ts';
import { type Job, jobSchema, optionNames, withoutSecret } from '../../fleet/job.ts';
import { fetchRefs, readRemoteRefs } from '../../git/carry/remote.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { locatePlan, readPlanFile } from '../../plan/file.ts';
import { lintBy, refuseErrors } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import { commandsOf } from '../../plan/plan.ts';
import { branchName } from '../../plan/plan-name.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { describeAsker, needRemote } from '../carry/prepare-carry.ts';
import type { SubmitOptions } from '../command-options.ts';
import { obtainTrust } from '../consent.ts';
import { type CliContext, print, printJson, printNote } from '../context.ts';
import { needPlace } from '../find-run.ts';
import { refuseFinished } from '../inspect-plan.ts';
import type { Place } from '../locate.ts';
import { openPlace } from '../open-place.ts';
import { needJob, openFleet, showJob } from './view.ts';

export async function submitPlan(
  context: CliContext,
  given: string,
  options: SubmitOptions,
): Promise<number> {
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const { plan, text, checks } = readSubmitted(context, given, { place, config });
  const { base, branch } = branchesFor(plan, options, place);
  const commit = await fetchBase(repo, base);
  const files = findTrustFiles(place.root);
  await refuseUnpushed(repo, { files: [plan, ...files.map((each) => each.path)], base, commit });
  const trust = defined({ trust: options.trust, trustHash: options.trustHash });
  await obtainTrust(context, { root: place.root, checks, ...trust });
  const job = makeJob({
    // As written: `insteadOf` counts on this machine alone.
    repo: withoutSecret((await repo.git(['config', '--get', 'remote.origin.url'])).trim()),
    base,
    branch,
    plan,
    planHash: digestText(text),
    trustHash: trustHash(files),
    options: handedOn(options),
    by: describeAsker(context, config),
  });
  await using queue = await openFleet(config);
  const after = options.after === undefined ? null : (await needJob(queue, options.after)).id;
  const id = randomUUID();
  await queue.submit(id, job, after);
  const { lack } = await showJob(queue, id);
  if (lack) printNote(context, `For now ${lack}.`);
  if (options.json) return printJson(context, { id, job });
  print(context, `Submitted ${plan} on ${base} as ${id}.`);
  return 0;
}

/** From the repository's root; throws Failure('plan') if it cannot run or is done. */
function readSubmitted(
  { cwd }: Pick<CliContext, 'cwd'>,
  given: string,
  { place, config }: Readonly<{ place: Place; config: Config }>,
): Readonly<{ plan: string; text: string; checks: readonly string[] }> {
  const file = locatePlan(given, cwd);
  const text = readPlanFile(file);
  const plan = path.relative(place.root, file).split(path.sep).join('/');
  const parsed = parsePlan(text, given);
  refuseErrors(parsed, file, lintBy(config));
  refuseFinished(parsed, plan);
  return { plan, text, checks: commandsOf(parsed) };
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

async function fetchBase(repo: Repo, base: string): Promise<string> {
  const remote = await needRemote(repo);
  const ref = `refs/heads/${base}`;
  const commit = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (commit === undefined)
    throw new Failure('preflight', `origin has no branch ${base}`, { hint: `git push origin ${base}` });
  await fetchRefs(repo, remote, [ref]);
  return commit;
}

/** Throws unless the plan, and what would run on a worker, are there as they were looked at here. */
async function refuseUnpushed(
  repo: Repo,
  { files, base, commit }: Readonly<{ files: readonly string[]; base: string; commit: string }>,
): Promise<void> {
  const namesOf = async (...args: readonly string[]) =>
    (await repo.git([...args, '--', ...files])).split('\0').filter((name) => name !== '');
  const there = new Set(await namesOf('ls-tree', '-r', '-z', '--name-only', '--full-tree', commit));
  const changed = await namesOf('diff', '--name-only', '-z', commit);
  const other = [...new Set([...files.filter((file) => !there.has(file)), ...changed])];
  if (other.length === 0) return;
  throw new Failure('preflight', `not on origin/${base} as here: ${fewOf(other)}`, {
    hint: `A worker takes them from there: commit them, and git push origin ${base}`,
  });
}

function makeJob(job: Omit<Job, 'options'> & Readonly<{ options: object }>): Job {
  const read = jobSchema.safeParse(job);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Failure('usage', `this cannot be a job of a fleet: ${issue?.path.join('.')}: ${issue?.message}`);
}

function handedOn(options: SubmitOptions): object {
  const names = optionNames.filter((name) => options[name]);
  return Object.fromEntries(
    names.map((name) => [name, options[name] === true ? true : Number(options[name])]),
  );
}
