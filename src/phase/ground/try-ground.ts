// What is red in a run's own ground but green in the tree it came from is the ground's fault: no session can mend it.
import type { CheckRun } from '../../check/check-run.ts';
import { Failure } from '../../failure.ts';
import { listBeside } from '../../git/place/untracked.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { listDirt } from '../../git/tree/tree.ts';
import { moveEnv } from '../../ground/move-text.ts';
import type { Place } from '../../place/place.ts';
import { type Check, isClosed, type Plan } from '../../plan/plan.ts';
import { runChecks, runOneCheck } from '../../work/tree/run-checks.ts';
import { ownChecksOf } from '../../work/work.ts';

/**
 * Runs in the first tree what is red here, and the first tasks' own checks that cannot run here; throws
 * Failure('environment') if one does better.
 */
export async function tryGround(
  place: Place,
  { red, plan }: Readonly<{ red: readonly CheckRun[]; plan: Plan }>,
): Promise<void> {
  const { home, lane, repo, run } = place;
  if (!home || lane || !(await isAsBegun(place))) return;
  const { root } = home.repo;
  const ground = { root, env: (of: Place['env']) => moveEnv(of, repo.root, root) };
  const isRed = ({ id }: Check) => red.some((each) => each.check.id === id);
  const first = plan.tasks.filter((task) => !isClosed(task)).slice(0, run.config.jobs);
  const own = first.flatMap(ownChecksOf);
  const { runs } = await runChecks(place, own, { when: 'lane' });
  const unrun = own.filter((_, at) => runs[at]?.result === 'could-not-run');
  for (const check of [...red.map(({ check }) => check), ...unrun]) {
    if (run.signal.aborted) return;
    const there = await runOneCheck(place, check, { when: 'lane', ground });
    if (there.result !== 'green' && (isRed(check) || there.result === 'could-not-run')) continue;
    const beside = await listBeside(home.repo, repo.root);
    const cause = beside.length === 0 ? '' : ` (only there: ${beside.join(', ')})`;
    const what = `the check \`${check.command}\` fails in the run’s own ground, but not in ${root}${cause}`;
    throw new Failure('environment', what, {
      hint: 'Name what it needs in worktree.copy, worktree.clone or worktree.setup, and run the same command again; or start without --worktree and --jobs: --fresh.',
    });
  }
}

/** After edits or commits of a person, the first tree says nothing about the ground. */
async function isAsBegun({ home, plan, run }: Place): Promise<boolean> {
  if (!home || home.repo.root === home.repo.gitDir) return false;
  if ((await readHeadCommit(home.repo)) !== run.state().started.base) return false;
  return (await listDirt(home.repo)).every((file) => file === plan.name);
}
