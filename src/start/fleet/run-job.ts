// One job on this machine: judged before anything of it is used, given a checkout of its own, and worked on by a pawl of its own,
// which carries the run. A run that was begun elsewhere is taken up; one that is over is only told.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { outerVariables } from '../../agent/agents.ts';
import type { Config } from '../../config/schema.ts';
import { removeOwnFolder } from '../../disk.ts';
import { asFailure, Failure } from '../../failure.ts';
import {
  type Ending,
  type Job,
  judgeEnding,
  judgeOffer,
  type Result,
  type Verdict,
} from '../../fleet/job.ts';
import { longestMs, type Offer } from '../../fleet/queue.ts';
import { readRemoteRefs } from '../../git/carry/remote.ts';
import { checkOut, cloneByMirror } from '../../git/place/mirror.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listRuns } from '../../journal/folder.ts';
import type { RunState } from '../../journal/state.ts';
import { judgeTake } from '../../phase/carry/judge-carry.ts';
import { readRun as readRunAt } from '../../phase/carry/owner.ts';
import { branchName } from '../../plan/branch.ts';
import { readPlanFile } from '../../plan/file.ts';
import { sleep } from '../../process/clock.ts';
import { childEnvironment } from '../../process/environment.ts';
import { runProgram } from '../../process/run-program.ts';
import { createSpawn } from '../../process/spawn.ts';
import { trustHash } from '../../trust/trust.ts';
import { findTrustFiles } from '../../trust/trust-files.ts';
import { type Carried, listCarried } from '../carry/find-carried.ts';
import { readState } from '../carry/lay-out.ts';
import { findLocal } from '../carry/take.ts';
import type { CliContext } from '../context.ts';
import { readRun } from '../find-run.ts';
import { openPlainRepo } from '../open-place.ts';

/** What a worker gives each job. */
export type JobDeps = Readonly<{
  config: Config;
  /** Kind of sandbox that its pawl is told. */
  sandbox: string;
  /** Where mirrors and checkouts are. */
  folder: string;
  /** Aborted when the job is no longer this worker's, or the worker ends. */
  signal: AbortSignal;
  /** The worker itself ends. */
  draining: () => boolean;
  /** Where the run is, for who tells of it. */
  onRun: (state: RunState) => void;
}>;

/** Works on it; what becomes of the job. */
export async function runJob(context: CliContext, offer: Offer, deps: JobDeps): Promise<Verdict> {
  const judged = judgeOffer(offer, deps.config.fleet.repos);
  if (judged.kind === 'refused') return { kind: 'over', result: judged.result };
  const { job } = judged;
  const at = placeOf(deps, offer, job);
  try {
    const verdict = await workOn(context, { offer, job, at }, deps);
    if (verdict.kind === 'over' && verdict.result.kind === 'done') removeOwnFolder(at.own);
    return verdict;
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    const ending = { ...noEnding, exit: failure.exit, says: failure.message, draining: deps.draining() };
    return judgeEnding({ ...ending, troubles: offer.troubles });
  }
}

const noEnding = { fenced: false, uncarried: false };

type At = Readonly<{ own: string; mirror: string; checkout: string }>;

/** Folders by what the database says, so that no name in a job is a path. */
function placeOf({ folder }: JobDeps, { id }: Offer, { repo }: Job): At {
  const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
  const own = path.join(folder, 'jobs', digest(id));
  const name = /([\w.-]+?)(?:\.git)?\/*$/.exec(repo)?.[1] ?? 'repo';
  return {
    own,
    mirror: path.join(folder, 'mirrors', `${digest(repo)}.git`),
    checkout: path.join(own, /^\.+$/.test(name) ? 'repo' : name),
  };
}

type Work = Readonly<{ offer: Offer; job: Job; at: At }>;

async function workOn(context: CliContext, { offer, job, at }: Work, deps: JobDeps): Promise<Verdict> {
  const { carry, clocks } = deps.config;
  const git = {
    spawn: createSpawn(),
    env: childEnvironment(context.env, { drop: outerVariables }),
    clockMs: Math.max(clocks.git, carry.patience) * 5,
  };
  await cloneByMirror(git, { url: job.repo, mirror: at.mirror, folder: at.checkout });
  const repo = await openPlainRepo(context, { root: at.checkout }, { trusted: false });
  const remote = { name: 'origin', clockMs: carry.patience };
  const branch = branchName(job.plan);
  const { runs } = await listCarried(repo, remote);
  const found = runs.find((run) => run.job === offer.id) ?? runs.find((run) => isOpenRunOf(run, job, branch));
  const ended = found && (await resultOf(repo, found, offer.id));
  if (ended) return { kind: 'over', result: ended };
  const ref = `refs/heads/${job.base}`;
  const commit = found?.head ?? (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (commit === undefined) throw new Failure('plan', `${job.repo} has no branch ${job.base}`);
  const isMine = found !== undefined && (await isHere(repo, at.checkout, found));
  if (!isMine) await checkOut(git, at.checkout, { commit, ...(found ? {} : { branch: job.base }) });
  const distrust = isMine ? undefined : judgeTree(at.checkout, job, found !== undefined);
  if (distrust) return { kind: 'over', result: { kind: 'needs-trust', exit: 2, says: distrust } };
  const words =
    found && !isMine ? ['take', found.run, '--from', 'origin'] : ['run', job.plan, '--branch', branch];
  return work(context, { offer, job, at, words }, deps);
}

function isOpenRunOf(run: Carried, job: Job, branch: string): boolean {
  return !run.ended && run.plan === job.plan && run.branch === branch;
}

/** The end that this job came to already, where only the queue does not know. */
async function resultOf(repo: Repo, found: Carried, id: string): Promise<Result | undefined> {
  if (found.job !== id) return undefined;
  const state = readState({ ...found, ...(await readRunAt(repo, found.oid)) });
  if (!state.ended) return undefined;
  const says = describeEnd(state);
  const verdict = judgeEnding({ ...noEnding, exit: state.ended.exit, says, draining: false, troubles: 0 });
  return verdict.kind === 'over' ? verdict.result : undefined;
}

/** Whether the run goes on in this very checkout, from which nobody has taken it. */
async function isHere(repo: Repo, checkout: string, found: Carried): Promise<boolean> {
  const gitDir = path.join(checkout, '.git');
  const local = await findLocal(repo, { root: checkout, gitDir, commonDir: gitDir }, found);
  return local !== undefined && judgeTake(found, local).kind === 'here';
}

/** Why nothing of the tree may run: it is not what was submitted. */
function judgeTree(root: string, job: Job, isBegun: boolean): string | undefined {
  const hash = trustHash(findTrustFiles(root));
  if (hash !== job.trustHash)
    return `what would run in ${job.repo} is not what was submitted: its hash is ${hash}, not ${job.trustHash}`;
  if (isBegun) return undefined;
  const file = path.join(root, job.plan);
  const plan = existsSync(file)
    ? createHash('sha256').update(readPlanFile(file).text).digest('hex')
    : undefined;
  return plan === job.planHash ? undefined : `${job.plan} on ${job.base} is not the plan that was submitted`;
}

type Pawl = Work & Readonly<{ words: readonly string[] }>;

/** Starts pawl, again where only its end was not carried. */
async function work(context: CliContext, given: Pawl, deps: JobDeps): Promise<Verdict> {
  for (let words = given.words; ; ) {
    const verdict = judgeEnding({
      ...(await runPawl(context, { ...given, words }, deps)),
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
  { offer, job, at, words }: Pawl,
  { config, sandbox, signal, onRun }: JobDeps,
): Promise<Pick<Ending, 'exit' | 'says' | 'fenced' | 'uncarried'>> {
  const fencedBefore = JSON.stringify(tellRun(at.checkout, onRun)?.carry?.fenced);
  const look = setInterval(() => tellRun(at.checkout, onRun), 2_000);
  try {
    const { ended, stderr } = await runProgram(
      { spawn: createSpawn() },
      {
        file: context.nodePath,
        args: [
          path.join(context.packageRoot, 'dist', 'pawl.js'),
          ...wordsOf(job, words, { config, sandbox }),
        ],
        cwd: at.checkout,
        env: childEnvironment(context.env, {
          drop: outerVariables,
          set: { PAWL_FLEET_JOB: offer.id, PAWL_FLEET_URL: config.fleet.url },
        }),
        ...{ signal, timeoutMs: longestMs, graceMs: 60_000 },
        outputFile: path.join(at.own, 'output.log'),
      },
    );
    const state = tellRun(at.checkout, onRun);
    const own = state?.ended?.exit;
    return {
      exit: ended.code,
      says: state?.ended && ended.code === own ? describeEnd(state) : lastWordsOf(stderr.text),
      // In this life, not in one before.
      fenced: state?.carry?.fenced !== undefined && JSON.stringify(state.carry.fenced) !== fencedBefore,
      // Its run is over with another code: what came after it failed, the last carry.
      uncarried: ended.code === 8 && own !== undefined && own < 8,
    };
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
    ...(words[0] === 'take' ? [] : ['--carry', 'origin']),
    ...(jobs === undefined ? [] : ['--jobs', String(Math.min(jobs, config.jobs))]),
    ...(maxCost === undefined ? [] : ['--max-cost', String(maxCost)]),
    ...(keepGoing ? ['--keep-going'] : []),
    ...(push ? ['--push'] : []),
    ...(pr ? ['--pr'] : []),
  ];
}

/** Tells of the run that this checkout holds; a journal that cannot be read now is told of later. */
function tellRun(checkout: string, onRun: JobDeps['onRun']): RunState | undefined {
  try {
    const [run] = listRuns(path.join(checkout, '.git'));
    if (!run) return undefined;
    const state = readRun(run);
    onRun(state);
    return state;
  } catch (error) {
    if (asFailure(error)) return undefined;
    throw error;
  }
}

function describeEnd({ ended, started }: RunState): string {
  const reasons = ended?.reasons.map(({ text }) => text) ?? [];
  return reasons.length > 0 ? reasons.join('; ') : `its work is on ${started.branch}`;
}

/** What pawl said last of all. */
function lastWordsOf(text: string): string {
  const at = text.lastIndexOf('pawl: ');
  return (at < 0 ? text.slice(-500) : text.slice(at + 6, at + 1_006)).trim() || 'it said nothing';
}
