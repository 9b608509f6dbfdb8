// Proves a commit against its base in its own ground: checks on both, and experiments over the difference.
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CheckDeps, runCheck } from '../../check/checks.ts';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { matchesAny } from '../../glob.ts';
import { makeGround } from '../../ground/make.ts';
import type { Base } from '../../phase/open/may-open.ts';
import type { Check } from '../../plan/plan.ts';
import { experiment } from '../../proof/experiments.ts';
import { openTrials, type TrialGround } from '../../proof/ground-trials.ts';
import { judgeCounts } from '../../proof/judge-counts.ts';
import type { TrialEnd } from '../../proof/lab.ts';
import { readChange } from '../../proof/read-change.ts';
import { judgeProof } from '../../proof/task-proof.ts';
import type { WorkProof } from '../../report/proof/work-proof.ts';
import { plainCheck } from '../../work/work.ts';
import type { CliContext } from '../context.ts';

export type ProveRequest = Readonly<{
  ground: Base;
  base: string;
  head: string;
  checks: readonly Check[];
  /** Globs of old tests and definitions that a person lets the work change. */
  redefines?: readonly string[];
  /** Files that are no work, such as the plan. */
  except?: readonly string[];
  /** Only the checks, their output, and the configuration. */
  isQuick?: boolean;
  onTrial?: (what: string, end: TrialEnd) => void;
}>;

export async function proveWork(context: CliContext, request: ProveRequest): Promise<WorkProof> {
  const { base, head } = request;
  const { repo } = request.ground;
  const folder = path.join(realpathSync(tmpdir()), `pawl-prove-${randomUUID()}`);
  makeFolder(folder, 0o700);
  try {
    const trialGround = await makeTrialGround(context, request, folder);
    const change = await readChange(repo, { base, head }, request);
    const ends: TrialEnd[] = [];
    const trials = await openTrials({
      ...trialGround,
      onEnd: (what, end) => {
        ends.push(end);
        request.onTrial?.(what, end);
      },
    });
    const baseTree = (await repo.git(['rev-parse', `${base}^{tree}`])).trim();
    const turnedGreen = async () => (await trials.run(baseTree, { what: 'the base' }))?.result === 'red';
    const experiments = await experiment(change, trials, { turnedGreen, isQuick: request.isQuick });
    context.signal.throwIfAborted();
    const [first, before] = ends;
    const mayChange = (name: string): boolean => matchesAny(name, request.redefines ?? []);
    const mayLose = change.some(({ file, from = file }) => mayChange(file) || mayChange(from));
    const proof = judgeProof({
      ran: request.checks.length,
      turnedGreen: before?.result === 'red',
      unproved: judgeCounts(first?.checks ?? [], before?.checks ?? [], { mayLose }),
      experiments,
      leave: { config: mayChange, redefines: mayChange, isRefactoring: false },
    });
    const files = new Set(change.map(({ file }) => file)).size;
    return { ...proof, experiments, files, output: first?.result === 'green' ? '' : (first?.output ?? '') };
  } finally {
    removeOwnFolder(folder);
  }
}

async function makeTrialGround(
  { signal }: CliContext,
  { head, checks, ground: base }: ProveRequest,
  folder: string,
): Promise<Omit<TrialGround, 'onEnd'>> {
  const { clocks, worktree } = base.config;
  const { copy, clone, setup } = worktree;
  const asked = { folder: path.join(folder, 'tree'), commit: head, copy, clone, signal };
  const { repo, root, env } = await makeGround(base.repo, asked);
  const deps = { ...base, root, env: env(base.env), timeoutMs: clocks.check };
  const log = path.join(folder, 'checks.log');
  if (setup !== undefined) await setUp(deps, setup, log);
  return { repo, head, checks, deps, log };
}

async function setUp(deps: CheckDeps, setup: string, log: string): Promise<void> {
  const run = await runCheck(deps, plainCheck('config:1', setup), log);
  deps.signal.throwIfAborted();
  if (run.result === 'green') return;
  throw new Failure('preflight', `worktree.setup failed in a fresh checkout: ${setup}`, {
    hint: run.output.slice(-600),
  });
}
