// One job on this machine: judged, then begun or taken up in its own clone by its own pawl, which carries the run.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { outerVariables } from '../../agent/agents.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { asFailure, needFailure } from '../../failure.ts';
import { type Job, type JobVerdict, judgeOffer } from '../../fleet/job.ts';
import { longestMs, type Offer } from '../../fleet/queue.ts';
import { checkOut, cloneByMirror } from '../../git/place/mirror.ts';
import type { RunState } from '../../journal/state.ts';
import { readTip } from '../../phase/carry/owner.ts';
import { sleep } from '../../process/clock.ts';
import { childEnvironment } from '../../process/environment.ts';
import { runProgram } from '../../process/run-program.ts';
import { createSpawn } from '../../process/spawn.ts';
import { takeRun } from '../carry/take.ts';
import { type CliContext, printNote } from '../context.ts';
import { openPlainRepo } from '../open-place.ts';
import { findStart } from './find-start.ts';
import { readRunIn, remove, removeClones } from './housekeeping.ts';
import { findBase, judgeTree } from './job-tree.ts';
import { type Ending, endOf, inOneLine, judgeEnding } from './judge-end.ts';

export type JobDeps = Readonly<{
  config: Config;
  /** The kind that its pawl is told to use. */
  sandbox: string;
  folders: Readonly<{ jobs: string; mirrors: string }>;
  /** Aborted when the job is another's, or the worker ends. */
  signal: AbortSignal;
  draining: () => boolean;
  onRun: (state: RunState) => void;
  /** Called before a pawl starts in the clone. */
  onRoot: (root: string) => Promise<void>;
}>;

export async function runJob(context: CliContext, offer: Offer, deps: JobDeps): Promise<JobVerdict> {
  const { config, folders } = deps;
  const judged = judgeOffer(offer, config.fleet.repos);
  if (judged.kind === 'refused') return { kind: 'over', result: judged.result };
  const { job } = judged;
  const own = jobFolder(folders.jobs, offer);
  try {
    const verdict = await workOn(context, { offer, job, own, checkout: path.join(own, nameOf(job)) }, deps);
    const isOver = verdict.kind === 'over';
    const isEmpty = isOver && (await removeClones(context, own, fixed.carryPatienceMs));
    // What its pawl said is kept for a day, unless there is nothing to learn.
    if (isEmpty && verdict.result.kind === 'done') await remove(context, own);
    return verdict;
  } catch (error) {
    const { exit, message, hint } = needFailure(error);
    const says = inOneLine(message, hint);
    const none = { fenced: false, uncarried: false, parted: false };
    return judgeEnding({ ...none, exit, says, draining: deps.draining(), troubles: offer.troubles });
  }
}

/** Named by ids of the database: no name in a job becomes a path. */
export function jobFolder(jobs: string, { id, attempt }: Pick<Offer, 'id' | 'attempt'>): string {
  return path.join(jobs, `${digest(id)}-${attempt}`);
}

function nameOf({ repo }: Job): string {
  const name = /([\w.-]+?)(?:\.git)?\/*$/.exec(repo)?.[1] ?? 'repo';
  return /^\.+$/.test(name) ? 'repo' : name;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

type Work = Readonly<{ offer: Offer; job: Job; own: string; checkout: string }>;

async function workOn(context: CliContext, work: Work, deps: JobDeps): Promise<JobVerdict> {
  const { offer, job, own, checkout } = work;
  const git = gitOf(context);
  const mirror = path.join(deps.folders.mirrors, `${digest(job.repo)}.git`);
  let isUsed = false;
  try {
    await cloneByMirror(git, { url: job.repo, mirror, folder: checkout });
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
    if (distrust) return { kind: 'over', result: { kind: 'needs-trust', exit: 2, says: distrust } };
    isUsed = true;
    if (run) {
      const env = { ...context.env, PAWL_FLEET_JOB: offer.id };
      const { trustHash } = job;
      await takeRun({ ...context, env, cwd: checkout }, run.run, { from: 'origin', trustHash });
    }
    return await workToEnd(context, work, deps);
  } finally {
    if (!isUsed) await remove(context, own);
  }
}

function gitOf(context: CliContext) {
  return {
    spawn: createSpawn(),
    env: childEnvironment(context.env, { drop: outerVariables }),
    clockMs: Math.max(fixed.gitMs, fixed.carryPatienceMs) * 5,
  };
}

/** How long a job is held back while somebody works on it elsewhere. */
const waitMs = 60_000;

const retryMs = 15_000;

/** Starts pawl, and again if only its end was not carried. */
async function workToEnd(context: CliContext, work: Work, deps: JobDeps): Promise<JobVerdict> {
  for (let more: readonly string[] = ['--branch', work.job.branch]; ; more = []) {
    await deps.onRoot(work.checkout);
    const end = await runPawl(context, { ...work, more }, deps);
    const verdict = judgeEnding({
      ...end,
      parted: end.uncarried && (await isEndThere(context, work.checkout)),
      ...{ draining: deps.draining(), troubles: work.offer.troubles },
    });
    if (verdict.kind !== 'again') return verdict;
    await sleep(retryMs, deps.signal);
  }
}

/** The remote knows the end: only the branch was not accepted. */
async function isEndThere(context: CliContext, root: string): Promise<boolean> {
  try {
    const carry = readRunIn(root)?.carry;
    if (!carry) return false;
    const repo = await openPlainRepo(context, { root }, { trusted: false });
    const remote = { name: carry.remote, clockMs: fixed.carryPatienceMs };
    const there = await readTip(repo, remote, carry.ref);
    return there?.ended === true && there.owner === carry.owner;
  } catch (error) {
    if (asFailure(error)) return false;
    throw error;
  }
}

async function runPawl(
  context: CliContext,
  { offer, job, own, checkout, more }: Work & Readonly<{ more: readonly string[] }>,
  deps: JobDeps,
): Promise<Pick<Ending, 'exit' | 'says' | 'fenced' | 'uncarried'>> {
  const tell = () => {
    const state = readRunIn(checkout);
    if (state) deps.onRun(state);
    return state;
  };
  const before = tell();
  const look = setInterval(tell, 2_000);
  try {
    const { ended, stderr } = await runProgram(
      { spawn: createSpawn() },
      {
        file: context.nodePath,
        args: [
          path.join(context.packageRoot, 'dist', 'pawl.js'),
          'run',
          job.plan,
          ...more,
          ...optionsOf(job, deps),
        ],
        cwd: checkout,
        env: childEnvironment(context.env, {
          drop: outerVariables,
          set: { PAWL_FLEET_JOB: offer.id, PAWL_FLEET_URL: deps.config.fleet.url },
        }),
        ...{ signal: deps.signal, timeoutMs: longestMs, graceMs: 60_000 },
        outputFile: path.join(own, 'output.log'),
      },
    );
    return endOf({ exit: ended.code, stderr: stderr.text }, before, tell());
  } finally {
    clearInterval(look);
  }
}

function optionsOf({ trustHash, options }: Job, { config, sandbox }: JobDeps): readonly string[] {
  const { jobs, maxCost, keepGoing, push, pr, stack } = options;
  return [
    ...['--json', '--sandbox', sandbox, '--trust-hash', trustHash, '--carry', 'origin'],
    ...(jobs === undefined ? [] : ['--jobs', String(Math.min(jobs, config.jobs))]),
    ...(maxCost === undefined ? [] : ['--max-cost', String(maxCost)]),
    ...(keepGoing ? ['--keep-going'] : []),
    ...(push ? ['--push'] : []),
    ...(pr ? ['--pr'] : []),
    ...(stack ? ['--stack'] : []),
  ];
}
