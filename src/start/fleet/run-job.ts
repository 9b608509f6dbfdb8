// One job on this machine: judged before anything of it is used, given a checkout of its own, and worked on by a pawl of
// its own, which carries the run. A run begun elsewhere is taken up; one that is over is only reported.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { outerVariables } from '../../agent/agents.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { needFailure } from '../../failure.ts';
import { type Job, type JobVerdict, judgeEnding, judgeOffer } from '../../fleet/job.ts';
import { longestMs, type Offer } from '../../fleet/queue.ts';
import { checkOut, cloneByMirror } from '../../git/place/mirror.ts';
import type { RunState } from '../../journal/state.ts';
import { sleep } from '../../process/clock.ts';
import { childEnvironment } from '../../process/environment.ts';
import { runProgram } from '../../process/run-program.ts';
import { createSpawn } from '../../process/spawn.ts';
import { takeRun } from '../carry/take.ts';
import { type CliContext, printNote } from '../context.ts';
import { openPlainRepo } from '../open-place.ts';
import { findStart } from './find-start.ts';
import { removeClones } from './housekeeping.ts';
import { findBase, judgeTree } from './job-tree.ts';
import { endOf, inOneLine, type LifeEnd } from './judge-life.ts';
import { isEndThere, readLives, readRunIn, remove } from './lives.ts';

export type JobDeps = Readonly<{
  config: Config;
  /** Kind of sandbox that its pawl is told to use. */
  sandbox: string;
  /** Where the clones of jobs are, and the mirrors that they are made from. */
  folders: Readonly<{ jobs: string; mirrors: string }>;
  /** Aborted when the job is no longer this worker's, or the worker ends. */
  signal: AbortSignal;
  /** The worker itself is ending. */
  draining: () => boolean;
  /** Called with the run's state, for reporting. */
  onRun: (state: RunState) => void;
  /** Called with the clone that has the job's run, before a pawl starts there. */
  onRoot: (root: string) => Promise<void>;
}>;

/** Works on it; returns what becomes of the job. */
export async function runJob(context: CliContext, offer: Offer, deps: JobDeps): Promise<JobVerdict> {
  const judged = judgeOffer(offer, {
    allowed: deps.config.fleet.repos,
    cutOffs: fixed.cutOffs,
  });
  if (judged.kind === 'refused') return { kind: 'over', result: judged.result };
  const { job } = judged;
  const at = placeOf(context, { deps, offer, job });
  try {
    const verdict = await workOn(context, { offer, job, at }, deps);
    if (verdict.kind !== 'over') return verdict;
    const isEmpty = await removeClones(context, at.own, fixed.carryPatienceMs);
    // What its pawl said is kept, unless there is nothing to learn from it.
    if (isEmpty && verdict.result.kind === 'done') await remove(context, at.own);
    return verdict;
  } catch (error) {
    const failure = needFailure(error);
    const ending = {
      ...noEnding,
      exit: failure.exit,
      says: inOneLine(failure.message, failure.hint),
      draining: deps.draining(),
    };
    return judgeEnding({ ...ending, troubles: offer.troubles });
  }
}

const noEnding = { fenced: false, uncarried: false, parted: false };

/**
 * `own`: everything of the job; `life`: a folder in it in which no other start of it has worked, with `checkout` inside.
 */
type At = Readonly<{ own: string; mirror: string; life: string; checkout: string }>;

/** Folders are named by database ids, so that no name in a job becomes a path. */
function placeOf(
  context: CliContext,
  { deps, offer, job }: Readonly<{ deps: JobDeps; offer: Offer; job: Job }>,
): At {
  const own = jobFolder(deps.folders.jobs, offer.id);
  const name = /([\w.-]+?)(?:\.git)?\/*$/.exec(job.repo)?.[1] ?? 'repo';
  const life = path.join(own, context.random(8));
  return {
    ...{ own, life },
    mirror: path.join(deps.folders.mirrors, `${digest(job.repo)}.git`),
    checkout: path.join(life, /^\.+$/.test(name) ? 'repo' : name),
  };
}

export function jobFolder(jobs: string, id: string): string {
  return path.join(jobs, digest(id));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

type Work = Readonly<{ offer: Offer; job: Job; at: At }>;

/** A clone of an earlier life is continued only by its own pawl; anything else begins in a new one. */
async function workOn(context: CliContext, given: Work, deps: JobDeps): Promise<JobVerdict> {
  const { offer, job, at } = given;
  const roots = readLives(at);
  let isUsed = false;
  try {
    const git = gitOf(context);
    await cloneByMirror(git, { url: job.repo, mirror: at.mirror, folder: at.checkout });
    const repo = await openPlainRepo(context, { root: at.checkout }, { trusted: false });
    const { start, there } = await findStart(context, repo, { offer, job, roots, config: deps.config });
    if (start.kind === 'over') return start;
    if (start.kind === 'wait') {
      printNote(context, `${offer.id.slice(0, 8)}: ${start.says}`);
      return { kind: 'back', afterMs: waitMs };
    }
    const begins = ['run', job.plan, '--branch', job.branch];
    if (start.kind === 'here')
      return await work(context, { ...given, root: start.root, words: begins }, deps);
    const { found } = there;
    const commit = found?.head ?? (await findBase(repo, job, { after: offer.after, ...there }));
    await checkOut(git, at.checkout, { commit, ...(found ? {} : { branch: job.base }) });
    const distrust = judgeTree(at.checkout, job, found !== undefined);
    if (distrust) return { kind: 'over', result: { kind: 'needs-trust', exit: 2, says: distrust } };
    isUsed = true;
    if (found) await takeUp(context, { ...given, run: found.run });
    return await work(context, { ...given, root: at.checkout, words: begins }, deps);
  } finally {
    if (!isUsed) await remove(context, at.life);
  }
}

/** Takes the run up in the job's clone, where pawl then continues it. */
async function takeUp(
  context: CliContext,
  { offer, job, at, run }: Work & Readonly<{ run: string }>,
): Promise<void> {
  const env = { ...context.env, PAWL_FLEET_JOB: offer.id };
  const inClone = { ...context, env, cwd: at.checkout };
  await takeRun(inClone, run, { from: 'origin', trustHash: job.trustHash });
}

function gitOf(context: CliContext) {
  return {
    spawn: createSpawn(),
    env: childEnvironment(context.env, { drop: outerVariables }),
    clockMs: Math.max(fixed.gitMs, fixed.carryPatienceMs) * 5,
  };
}

/** How long a job is held back while its last life has not ended here. */
const waitMs = 60_000;

type Pawl = Work & Readonly<{ root: string; words: readonly string[] }>;

/** Starts pawl, and again if only its end was not carried. */
async function work(context: CliContext, given: Pawl, deps: JobDeps): Promise<JobVerdict> {
  for (let words = given.words; ; ) {
    await deps.onRoot(given.root);
    const life = await runPawl(context, { ...given, words }, deps);
    const verdict = judgeEnding({
      ...life,
      parted: life.uncarried && (await isEndThere(context, given.root, fixed.carryPatienceMs)),
      ...{ draining: deps.draining(), troubles: given.offer.troubles },
    });
    if (verdict.kind !== 'again') return verdict;
    await sleep(retryMs, deps.signal);
    words = ['run', given.job.plan];
  }
}

const retryMs = 15_000;

async function runPawl(
  context: CliContext,
  { offer, job, at, root, words }: Pawl,
  { config, sandbox, signal, onRun }: JobDeps,
): Promise<LifeEnd> {
  const tell = () => {
    const state = readRunIn(root);
    if (state) onRun(state);
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
          ...wordsOf(job, words, { config, sandbox }),
        ],
        cwd: root,
        env: childEnvironment(context.env, {
          drop: outerVariables,
          set: { PAWL_FLEET_JOB: offer.id, PAWL_FLEET_URL: config.fleet.url },
        }),
        ...{ signal, timeoutMs: longestMs, graceMs: 60_000 },
        outputFile: path.join(at.own, 'output.log'),
      },
    );
    return endOf({ exit: ended.code, stderr: stderr.text }, before, tell());
  } finally {
    clearInterval(look);
  }
}

function wordsOf(
  { trustHash, options }: Job,
  words: readonly string[],
  { config, sandbox }: Pick<JobDeps, 'config' | 'sandbox'>,
): readonly string[] {
  const { jobs, maxCost, keepGoing, push, pr } = options;
  return [
    ...[...words, '--json', '--sandbox', sandbox, '--trust-hash', trustHash],
    ...['--carry', 'origin'],
    ...(jobs === undefined ? [] : ['--jobs', String(Math.min(jobs, config.jobs))]),
    ...(maxCost === undefined ? [] : ['--max-cost', String(maxCost)]),
    ...(keepGoing ? ['--keep-going'] : []),
    ...(push ? ['--push'] : []),
    ...(pr ? ['--pr'] : []),
  ];
}
