// Trials in a ground: checks out each variant over what is installed, and runs the checks until one is not green.
import type { CheckRun } from '../check/check-run.ts';
import { type CheckDeps, runCheck } from '../check/checks.ts';
import type { Repo } from '../git/run/repo.ts';
import { fillTree } from '../git/tree/index-file.ts';
import { varyTree } from '../git/tree/vary.ts';
import type { Check } from '../plan/plan.ts';
import type { CountedCheck } from './judge-counts.ts';
import type { TrialEnd, Trials, TriedBy } from './lab.ts';

export type TrialGround = Readonly<{
  repo: Repo;
  head: string;
  checks: readonly Check[];
  /** `root` and `env`: the ground's; `timeoutMs`: for a check of the work as it is. */
  deps: CheckDeps;
  log: string;
  onEnd: (what: string, end: TrialEnd) => void;
}>;

export async function openTrials(ground: TrialGround): Promise<Trials> {
  const { repo, head, deps } = ground;
  const tree = (await repo.git(['rev-parse', `${head}^{tree}`])).trim();
  const kept = await listUntracked(repo);
  const passed = new Map<string, number>();
  // Until the first checks have run in it.
  let prepared: string | undefined = tree;
  return {
    write: (variant) => (variant.size === 0 ? Promise.resolve(tree) : varyTree(repo, tree, variant)),
    run: async (variant, { what, limitMs, by = 'all' }) => {
      if (variant !== prepared) await putTree(repo, variant, kept);
      prepared = undefined;
      const timeoutMs = Math.min(limitMs ?? deps.timeoutMs, deps.timeoutMs);
      const end = await runAll(ground, { passed, by, timeoutMs });
      if (end) ground.onEnd(what, end);
      return end;
    },
  };
}

async function listUntracked(repo: Repo): Promise<readonly string[]> {
  const names = await repo.git(['ls-files', '--others', '--directory', '-z']);
  return names.split('\0').filter((name) => name !== '');
}

async function putTree(repo: Repo, tree: string, kept: readonly string[]): Promise<void> {
  await fillTree(repo, tree);
  const except = kept.flatMap((name) => ['-e', `/${name.replace(/[\\*?[\]!# ]/g, '\\$&')}`]);
  await repo.write('clean trial', ['clean', '-ffdxq', ...except]);
}

/** `passed`: tests that passed on the work as it is, by check. */
async function runAll(
  ground: TrialGround,
  { timeoutMs, by, passed }: Readonly<{ timeoutMs: number; by: TriedBy; passed: Map<string, number> }>,
): Promise<TrialEnd | undefined> {
  const checks: CountedCheck[] = [];
  let end: Omit<TrialEnd, 'checks'> = { result: 'green', durationMs: 0, output: '' };
  const telling = ground.checks.filter(({ id, scope }) => scope === 'task' || (passed.get(id) ?? 0) > 0);
  for (const check of by === 'all' || telling.length === 0 ? ground.checks : telling) {
    const run = await runCheck({ ...ground.deps, timeoutMs }, check, ground.log);
    if (run.result === 'interrupted') return undefined;
    end = { ...end, durationMs: end.durationMs + run.durationMs };
    checks.push({ command: check.command, result: run.result, tests: run.tests });
    if (run.result === 'green' && !hasLostTests(run, passed)) continue;
    const isHung = run.result === 'timed-out';
    end = { ...end, result: isHung ? 'hung' : 'red', output: `${end.output}${run.output}` };
    if (isHung || by !== 'each') break;
  }
  return { ...end, checks };
}

/** It passed tests on the work, which runs first, and passes none on a variant. */
function hasLostTests({ check, tests }: CheckRun, passed: Map<string, number>): boolean {
  const first = passed.get(check.id);
  if (first === undefined) passed.set(check.id, tests?.passed ?? 0);
  return first !== undefined && first > 0 && (tests?.passed ?? 0) === 0;
}
