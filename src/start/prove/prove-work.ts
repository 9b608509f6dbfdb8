// Proves a commit against its base in its own ground: checks on both, and experiments over the difference.
import path from 'node:path';
import type { CheckDeps } from '../../check/checks.ts';
import { runCheck } from '../../check/checks.ts';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import type { Repo } from '../../git/run/repo.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import { type Ground, makeGround } from '../../ground/make.ts';
import { experiment } from '../../proof/experiments.ts';
import { openTrials, type TrialGround } from '../../proof/ground-trials.ts';
import { judgeCounts } from '../../proof/judge-counts.ts';
import type { TrialEnd } from '../../proof/lab.ts';
import { readChange } from '../../proof/read-change.ts';
import { type Experiments, judgeProof, type TaskProof } from '../../proof/task-proof.ts';
import { configuredChecks, type PlacedCheck } from '../../work/work.ts';

export type ProveRequest = Readonly<{
  repo: Repo;
  base: string;
  head: string;
  checks: readonly PlacedCheck[];
  /** Globs of old tests and definitions that a person lets the work change. */
  redefines: readonly string[];
  /** Files that are no work, such as the plan. */
  except: readonly string[];
  worktree: Readonly<{ copy: readonly string[]; clone: readonly string[]; setup?: string | undefined }>;
  deps: Omit<CheckDeps, 'root' | 'mark'>;
  /** A new folder of pawl's own, which is removed. */
  folder: string;
  /** Only the checks, their output, and the configuration. */
  isQuick?: boolean;
  now: () => number;
  onTrial: (what: string, end: TrialEnd) => void;
}>;

/** `output`: of a check that is red on the work. */
export type WorkProof = TaskProof & Readonly<{ experiments: Experiments; files: number; output: string }>;

export async function proveWork(request: ProveRequest): Promise<WorkProof> {
  const { repo, base, head, folder, worktree } = request;
  makeFolder(folder, 0o700);
  try {
    const root = path.join(folder, 'tree');
    const ground = await makeGround(repo, {
      folder: root,
      commit: head,
      copy: worktree.copy,
      clone: worktree.clone,
      signal: request.deps.signal,
    });
    await setUp(ground, request);
    const commands = request.checks.map(({ command }) => command);
    const change = await readChange(repo, { base, head }, { commands, except: request.except });
    const ends: TrialEnd[] = [];
    const trials = await openTrials({
      ...groundOf(ground, request),
      onEnd: (what, end) => {
        ends.push(end);
        request.onTrial(what, end);
      },
    });
    const experiments = await experiment(change, trials, request.isQuick ? { isQuick: true } : {});
    const [first] = ends;
    const before = first?.result === 'green' ? await runBase(request, trials.run) : undefined;
    const mayChange = (name: string): boolean => matchesAny(name, request.redefines);
    const mayLose = change.files.some(({ file, from = file }) => mayChange(file) || mayChange(from));
    const proof = judgeProof({
      ran: request.checks.length,
      turnedGreen: first?.result === 'green' && before?.result === 'red',
      unproved: [],
      counts: judgeCounts(first?.checks ?? [], before?.checks ?? [], { mayLose }),
      experiments,
      leave: { config: mayChange, redefines: mayChange, isRefactoring: false },
    });
    return {
      ...proof,
      experiments,
      files: change.files.length,
      output: first?.result === 'green' ? '' : (first?.output ?? ''),
    };
  } finally {
    removeOwnFolder(folder);
  }
}

async function runBase(
  { repo, base }: ProveRequest,
  run: (tree: string, trial: { what: string }) => Promise<TrialEnd | undefined>,
): Promise<TrialEnd | undefined> {
  const tree = (await repo.git(['rev-parse', `${base}^{tree}`])).trim();
  return run(tree, { what: 'the base' });
}

function groundOf(ground: Ground, request: ProveRequest): Omit<TrialGround, 'onEnd'> {
  const { head, checks, deps, folder, now } = request;
  return {
    ...{ repo: ground.repo, head, checks, now },
    deps: { ...deps, root: ground.root, env: ground.env(deps.env) },
    markOf: (trial) => `PAWL_CHECK=${folder}/${trial}`,
    log: path.join(folder, 'checks.log'),
  };
}

async function setUp(ground: Ground, request: ProveRequest): Promise<void> {
  const { setup } = request.worktree;
  const [check] = setup === undefined ? [] : configuredChecks([setup]);
  if (!check) return;
  const { deps, log } = groundOf(ground, request);
  const run = await runCheck({ ...deps, mark: `PAWL_CHECK=${request.folder}/setup` }, check, {
    cwd: '.',
    log,
  });
  if (run.result === 'green') return;
  throw new Failure('preflight', `worktree.setup failed in a fresh checkout: ${setup}`, {
    hint: run.output.slice(-600),
  });
}
