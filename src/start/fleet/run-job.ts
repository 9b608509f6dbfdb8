// One job on this machine: judged, then begun or taken up in its own clone by its own pawl, which carries the run.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { digestText } from '../../digest.ts';
import { Failure, needFailure } from '../../failure.ts';
import { type Job, type JobVerdict, judgeOffer, over, standsOn } from '../../fleet/job.ts';
import { longestMs, type Offer, type Queue } from '../../fleet/queue.ts';
import { mergeCommits } from '../../git/lane/merge-trees.ts';
import { checkOut, cloneInto } from '../../git/place/clone.ts';
import { descends } from '../../git/run/ancestry.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readPlanFile } from '../../plan/file.ts';
import { runProgram } from '../../process/run-program.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { takeRun } from '../carry/take.ts';
import { type CliContext, printNote } from '../context.ts';
import { host, hostEnvironment } from '../host.ts';
import { openPlainRepo } from '../open-place.ts';
import { findStart } from './find-start.ts';
import { readRunIn, remove, removeClones } from './housekeeping.ts';
import { type Ending, endOf, inOneLine, judgeEnding } from './judge-end.ts';

export type Worker = Readonly<{
  context: CliContext;
  /** With the sandbox that its pawl is told to use. */
  config: Config;
  /** Folder of the clones. */
  jobs: string;
  /** Of the machine. */
  name: string;
  queue: Queue;
}>;

type Life = Readonly<{
  /** Aborted when the job is another's, or the worker ends. */
  signal: AbortSignal;
  /** Called before a pawl starts in the clone. */
  onRoot: (root: string) => Promise<void>;
  /** Tells the queue how far the run is. */
  beat: () => Promise<void>;
}>;

export async function runJob(worker: Worker, offer: Offer, life: Life): Promise<JobVerdict> {
  const { context, config } = worker;
  const judged = judgeOffer(offer, config.fleet.repos);
  if (judged.kind === 'over') return judged;
  const { job } = judged;
  const own = jobFolder(worker.jobs, offer);
  try {
    const verdict = await workOn(worker, { offer, job, own, checkout: path.join(own, nameOf(job)) }, life);
    const isOver = verdict.kind === 'over';
    const isEmpty = isOver && (await removeClones(context, own));
    // What its pawl said is kept for a day, unless there is nothing to learn.
    if (isEmpty && verdict.result.kind === 'done') await remove(context, own);
    return verdict;
  } catch (error) {
    const { exit, message, hint } = needFailure(error);
    return judgeEnding({ exit, says: inOneLine(message, hint) }, circumstancesOf(worker, offer));
  }
}

function circumstancesOf({ context }: Worker, { troubles }: Offer) {
  return { draining: context.signal.aborted, troubles };
}

/** Named by ids of the database: no name in a job becomes a path. */
export function jobFolder(jobs: string, { id, attempt }: Pick<Offer, 'id' | 'attempt'>): string {
  const name = digestText(id, 16);
  return path.join(jobs, `${name}-${attempt}`);
}

function nameOf({ repo }: Job): string {
  const name = /([\w.-]+?)(?:\.git)?\/*$/.exec(repo)?.[1] ?? 'repo';
  return /^\.+$/.test(name) ? 'repo' : name;
}

type Work = Readonly<{ offer: Offer; job: Job; own: string; checkout: string }>;

async function workOn(worker: Worker, work: Work, life: Life): Promise<JobVerdict> {
  const { context } = worker;
  const { offer, job, own, checkout } = work;
  // Of a large repository: each start of a plan clones anew.
  const git = { spawn: host.spawn, env: hostEnvironment(context), clockMs: 60 * 60_000 };
  // Of an earlier start by that number, if the database is one from before.
  let isUsed = existsSync(own);
  try {
    await cloneInto(git, checkout, job.repo);
    const repo = await openPlainRepo(context, { root: checkout }, { trusted: false });
    const now = context.now().getTime();
    const { start, branches } = await findStart(repo, { id: offer.id, job, now });
    if (start.kind === 'over') return start;
    if (start.kind === 'wait') {
      printNote(context, `${offer.id.slice(0, 8)}: ${start.says}`);
      return { kind: 'back', afterMs: waitMs };
    }
    const run = start.kind === 'take' ? start.run : undefined;
    const commit = run?.head ?? (await findBase(repo, job, { after: offer.after, branches }));
    await checkOut(git, checkout, { commit, ...(run ? {} : { branch: job.base }) });
    const distrust = judgeTree(checkout, job, run !== undefined);
    if (distrust) return over('needs-trust', 2, distrust);
    // During a long clone another worker may have got it.
    await life.beat();
    if (life.signal.aborted) return { kind: 'back' };
    isUsed = true;
    if (run) {
      const env = { ...context.env, PAWL_FLEET_JOB: offer.id };
      const { trustHash } = job;
      const options = { from: 'origin', trustHash };
      const taken = await takeRun({ ...context, env, cwd: checkout }, run.run, options);
      // From now on it is that of its own pawl, which removes it in the end.
      taken?.reserved?.[Symbol.dispose]();
    }
    await life.onRoot(checkout);
    return judgeEnding(await runPawl(worker, work, life), circumstancesOf(worker, offer));
  } finally {
    if (!isUsed) await remove(context, own);
  }
}

/** How long a job is held back while somebody works on it elsewhere. */
const waitMs = 60_000;

/** With what pawl gives no other program. */
export function pawlEnvironment({ context, config }: Pick<Worker, 'context' | 'config'>, job: string) {
  const { PAWL_NOTIFY, PAWL_FORGE_TOKEN } = context.env;
  const own = { PAWL_NOTIFY, PAWL_FORGE_TOKEN, PAWL_FLEET_URL: config.fleet.url, PAWL_FLEET_JOB: job };
  return hostEnvironment(context, own);
}

async function runPawl(
  { context, config }: Worker,
  { offer, job, own, checkout }: Work,
  life: Life,
): Promise<Ending> {
  const before = readRunIn(checkout);
  const { ended, stderr } = await runProgram(
    { spawn: host.spawn },
    {
      file: context.nodePath,
      args: [path.join(context.packageRoot, 'dist', 'pawl.js'), 'run', job.plan, ...optionsOf(job, config)],
      cwd: checkout,
      env: pawlEnvironment({ context, config }, offer.id),
      signal: life.signal,
      timeoutMs: longestMs,
      graceMs: 60_000,
      outputFile: path.join(own, 'output.log'),
    },
  );
  await life.beat();
  return endOf({ exit: ended.code, stderr: stderr.text }, before, readRunIn(checkout));
}

function optionsOf({ branch, trustHash, options }: Job, { jobs: most, sandbox }: Config): readonly string[] {
  const jobs = options.jobs && Math.min(options.jobs, most);
  return [
    ...['--branch', branch, '--json', '--carry', 'origin'],
    ...['--sandbox', sandbox.kind, '--trust-hash', trustHash],
    ...Object.entries(defined({ ...options, jobs })).flatMap(([name, value]) => [
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      ...(value === true ? [] : [String(value)]),
    ]),
  ];
}

/** The work of earlier jobs may exist only on their branches. `branches`: of the remote. */
async function findBase(
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
  const ahead = before && branches.get(`refs/heads/${before}`);
  if (!ahead || (await descends(repo, ahead, base))) return base;
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
function judgeTree(root: string, job: Job, isBegun: boolean): string | undefined {
  const hash = trustHash(findTrustFiles(root));
  if (hash !== job.trustHash)
    return `what would run in ${job.repo} is not what was submitted: its hash is ${hash}, not ${job.trustHash}`;
  if (isBegun) return undefined;
  const file = path.join(root, job.plan);
  const plan = existsSync(file) ? digestText(readPlanFile(file)) : undefined;
  return plan === job.planHash ? undefined : `${job.plan} on ${job.base} is not the plan that was submitted`;
}
