// Several plans in turn, each as if started alone on the branch the command began on.
import path from 'node:path';
import { asFailure, Failure, needFailure, pickExit } from '../failure.ts';
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
import { openPlainRepo } from './open-place.ts';
import type { RunFlags } from './run-options.ts';

type Turns = Readonly<{
  context: CliContext;
  options: RunFlags;
  place: Place;
  repo: Repo;
  /** Where the command began; undefined if HEAD is detached. */
  base: string | undefined;
}>;

/** After a failure it goes on only with `--keep-going`. */
export async function runInTurn(
  context: CliContext,
  plans: readonly string[],
  options: RunFlags,
): Promise<number> {
  refuseMisuse(options);
  const place = needPlace(context);
  const repo = await openPlainRepo(context, place);
  const turns = { context, options, place, repo, base: findBase(place) };
  await inspectNew(turns, plans);
  const exits: number[] = [];
  for (const plan of plans) {
    const exit = await runNext(turns, plan);
    exits.push(exit);
    if (context.signal.aborted || (exit !== 0 && !options.keepGoing)) break;
  }
  const left = plans.slice(exits.length);
  if (left.length > 0)
    printNote(context, `Not begun: ${left.join(', ')}. The same command begins with them.`);
  else await switchTo(turns, turns.base).catch((error) => printNote(context, needFailure(error).message));
  for (const [at, exit] of exits.entries()) printNote(context, `${plans[at]}: ${formatExit(exit)}`);
  return pickExit(exits);
}

async function runNext(turns: Turns, plan: string): Promise<number> {
  const { context, options } = turns;
  try {
    const done = await printIfDone(context, plan, options);
    if (done !== undefined) return done;
    if (!options.worktree) await switchTo(turns, branchFor(turns, plan));
    return (await runOne(context, plan, options)).exit;
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    context.stderr.write(formatFailure(context, failure));
    return failure.exit;
  }
}

const fileOf = ({ context }: Turns, plan: string) => realOf(path.resolve(context.cwd, plan));

function branchFor(turns: Turns, plan: string): string | undefined {
  const open = turns.options.fresh ? undefined : findOpenRun(turns.place, fileOf(turns, plan));
  return open && !open.state.worktree ? open.started.branch : turns.base;
}

async function switchTo({ context, repo }: Turns, branch: string | undefined): Promise<void> {
  if (branch === undefined || readHead(repo).branch === branch) return;
  const dirt = await listDirt(repo);
  if (dirt.length > 0)
    throw new Failure(
      'preflight',
      `${branch} cannot be checked out, because the working tree has changes: ${fewOf(dirt, 10)}`,
      { hint: 'Commit or stash them, or continue the run that made them; then run the same command again.' },
    );
  using _lock = acquireLock(repo.gitDir, `a switch to ${branch}`, context.now());
  await switchBranch(repo, { branch, create: false });
}

/** If the branch checked out is a run's own, the one it was made from. */
function findBase(place: Place): string | undefined {
  const { branch } = readHead(place);
  const own = listRuns(place.commonDir).find(({ started }) => started.branch === branch);
  return (own && readRun(own).branchFrom) ?? branch;
}

/** A mistake in the last plan is reported before anybody is asked for consent. */
async function inspectNew(turns: Turns, plans: readonly string[]): Promise<void> {
  const { context, options, place } = turns;
  const fresh = plans.filter((plan) => options.fresh || !findRunOf(place, fileOf(turns, plan)));
  for (const dryRun of [true, false])
    for (const plan of fresh) await inspectPlan(context, plan, { ...options, dryRun });
}

function refuseMisuse({ task, from }: RunFlags): void {
  if (task === undefined && from === undefined) return;
  throw new Failure('usage', `${task === undefined ? '--from' : '--task'} works with one plan only`, {
    hint: 'Name only the plan that it refers to.',
  });
}
