// Several plans in turn, each as if started alone on the branch the command began on.
import path from 'node:path';
import { Failure, needFailure, pickExit } from '../failure.ts';
import { switchBranch } from '../git/place/branches.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { listDirt } from '../git/tree/tree.ts';
import { listRuns } from '../journal/folder.ts';
import { acquireLock } from '../journal/lock.ts';
import { findOpenRun, findRunOf } from '../phase/open/find-unfinished.ts';
import { formatExit } from '../report/text/run-words.ts';
import { printIfDone } from './already-done.ts';
import { type CliContext, formatFailure, printNote } from './context.ts';
import { runOne } from './drive-run.ts';
import { needPlace, readRun } from './find-run.ts';
import { inspectPlan } from './inspect-plan.ts';
import { type Place, realOf } from './locate.ts';
import { openAsTold } from './open-place.ts';
import type { RunFlags } from './run-options.ts';

/** After a failure it goes on only with `--keep-going`. */
export async function runInTurn(
  context: CliContext,
  plans: readonly string[],
  options: RunFlags,
): Promise<number> {
  refuseMisuse(options);
  const place = needPlace(context);
  const repo = await openAsTold(context, place, options);
  const base = findBase(place);
  const fileOf = (plan: string) => realOf(path.resolve(context.cwd, plan));
  // A mistake in the last plan is reported before anybody is asked for consent.
  const fresh = plans.filter((plan) => options.fresh || !findRunOf(place, fileOf(plan)));
  for (const dryRun of [true, false])
    for (const plan of fresh) await inspectPlan(context, plan, { ...options, dryRun });
  const exits: number[] = [];
  for (const plan of plans) {
    const exit = await exitOf(context, async () => {
      const done = await printIfDone(context, plan, options);
      if (done !== undefined) return done;
      const open = options.fresh ? undefined : findOpenRun(place, fileOf(plan));
      const branch = open && !open.state.worktree ? open.started.branch : base;
      if (!options.worktree) await switchTo(context, repo, branch);
      return (await runOne(context, plan, options)).exit;
    });
    exits.push(exit);
    if (context.signal.aborted || (exit !== 0 && !options.keepGoing)) break;
  }
  const left = plans.slice(exits.length);
  if (left.length > 0)
    printNote(context, `Not begun: ${left.join(', ')}. The same command begins with them.`);
  else await switchTo(context, repo, base).catch((error) => printNote(context, needFailure(error).message));
  for (const [at, exit] of exits.entries()) printNote(context, `${plans[at]}: ${formatExit(exit)}`);
  return pickExit(exits);
}

/** What fails is told. */
async function exitOf(context: CliContext, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const failure = needFailure(error);
    context.stderr.write(formatFailure(context, failure));
    return failure.exit;
  }
}

async function switchTo(context: CliContext, repo: Repo, branch: string | undefined): Promise<void> {
  if (branch === undefined || readHead(repo).branch === branch) return;
  // Changes of a live run's session are not a person's to stash.
  using _lock = acquireLock(repo.gitDir, `a switch to ${branch}`, context.now());
  const dirt = await listDirt(repo);
  if (dirt.length > 0)
    throw new Failure(
      'preflight',
      `${branch} cannot be checked out, because the working tree has changes: ${fewOf(dirt, 10)}`,
      { hint: 'Commit or stash them, or continue the run that made them; then run the same command again.' },
    );
  await switchBranch(repo, { branch, create: false });
}

/** If the branch checked out is a run's own, the one it was made from. */
function findBase(place: Place): string | undefined {
  const { branch } = readHead(place);
  const own = listRuns(place.commonDir).find(({ started }) => started.branch === branch);
  return (own && readRun(own).branchFrom) ?? branch;
}

function refuseMisuse({ task, from }: RunFlags): void {
  if (task === undefined && from === undefined) return;
  throw new Failure('usage', `${task === undefined ? '--from' : '--task'} works with one plan only`, {
    hint: 'Name only the plan that it refers to.',
  });
}
