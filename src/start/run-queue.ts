// Runs several plans in one command, each on a branch of its own from the starting point; the same command resumes them.
// Earlier progress comes from the runs' journals.
import path from 'node:path';
import { asFailure, Failure, pickExit } from '../failure.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { dayOf } from '../journal/day.ts';
import { listRuns } from '../journal/folder.ts';
import { readIfSound } from '../journal/read-journal.ts';
import type { RunState } from '../journal/state.ts';
import { findQueue, judgeQueue, type PlanInQueue, type QueuedRun, startsNext } from '../phase/judge-queue.ts';
import { findOpenRun, knownName } from '../phase/open/find-unfinished.ts';
import type { RunOptions as PhaseOptions, Queue } from '../place/run.ts';
import { formatNextPlan, formatQueueEnd, type PlanEnd } from '../report/events/format-queue.ts';
import type { Line } from '../report/text/line.ts';
import { type CliContext, formatFailure, printLines } from './context.ts';
import { endCutOffSwitch } from './cut-off-switch.ts';
import { realOf } from './find-plan.ts';
import { needPlace } from './find-run.ts';
import { inspectPlan } from './inspect-plan.ts';
import type { Place } from './locate.ts';
import { openPlainRepo } from './open-place.ts';
import { awaitQueue } from './prepare-in-time.ts';
import { chooseBase, type Ground, makeReady, returnTo } from './queue-branch.ts';
import type { RunOptions } from './run-options.ts';

/** How one plan is run, as one of a queue. */
export type RunInQueue = (
  given: string,
  queue: NonNullable<PhaseOptions['queue']>,
) => Promise<Readonly<{ exit: number; state: RunState }>>;

type World = Ground & Readonly<{ given: readonly string[]; names: readonly string[] }>;

/** Runs the plans in turn; one exit code stands for all. */
export async function runQueue(
  context: CliContext,
  given: readonly string[],
  asked: Readonly<{ options: RunOptions; runOne: RunInQueue }>,
): Promise<number> {
  const { options, runOne } = asked;
  const place = needPlace(context);
  const names = given.map((plan) => nameOf(context, place, plan));
  refuseMisuse(names, options);
  const repo = await openPlainRepo(context, place);
  await endCutOffSwitch(context, repo);
  const world: World = { context, options, place, repo, given, names };
  const queue = (options.fresh ? undefined : findQueue(readRuns(world), names)) ?? {
    queue: context.random(4),
    plans: names,
    base: await chooseBase(world, names),
  };
  await inspectAll(world, queue);
  const left = judgeQueue(queue, readRuns(world)).flatMap(({ plan, isDone }) => (isDone ? [] : [plan]));
  await awaitQueue(context, options, { root: place.root, plans: left });
  const ends: PlanEnd[] = [];
  let through = true;
  for (const [at, plan] of given.entries()) {
    const end = await runNext(world, { queue, plan, at, runOne });
    ends.push(end);
    if (end.skipped) continue;
    through = !context.signal.aborted && goesOnAfter(end, options);
    if (!through) break;
  }
  if (through) await returnTo(world, queue.base);
  const rest = names.slice(ends.length).map((plan) => ({ plan }));
  show(world, formatQueueEnd([...ends, ...rest]));
  return pickExit(ends.flatMap(({ exit }) => exit ?? []));
}

type Next = Readonly<{ queue: Queue; plan: string; at: number; runOne: RunInQueue }>;

type Ended = PlanEnd & Readonly<{ goesOn?: boolean }>;

async function runNext(world: World, { queue, plan, at, runOne }: Next): Promise<Ended> {
  const { context, names } = world;
  const name = names[at] ?? plan;
  const judged = judgeQueue(queue, readRuns(world));
  const before = judged.find((one) => one.plan === name);
  const known = before?.run && { branch: before.run.state.started.branch };
  if (before?.isDone) return { plan: name, ...known, skipped: true };
  try {
    const resumes = await makeReady(world, name, queue.base);
    show(world, formatNextPlan(name, { number: at + 1, of: names.length, base: queue.base, resumes }));
    const { exit, state } = await runOne(plan, { ...queue, branches: branchesOf(judged, name) });
    return {
      plan: name,
      branch: state.started.branch,
      exit,
      finished: state.ended?.finished === true,
      goesOn: startsNext(exit, state, dayOf(context.now()).day),
    };
  } catch (error) {
    const failure = asFailure(error);
    // Nothing has begun: it is refused like a single plan.
    if (!failure || at === 0) throw error;
    context.stderr.write(formatFailure(context, failure));
    return { plan: name, exit: failure.exit, refusal: failure.message.split('\n', 1)[0] ?? '' };
  }
}

function goesOnAfter({ goesOn, exit, finished }: Ended, options: RunOptions): boolean {
  if (options.stopOnFailure && !(finished && (exit === 0 || exit === 4))) return false;
  return goesOn === true;
}

/**
 * Every plan that is to be begun is judged before the first one starts. One that continues is on its own branch, and is
 * judged there.
 */
async function inspectAll(world: World, queue: Queue): Promise<void> {
  const { context, options, place, repo, given, names } = world;
  if (readHead(repo).branch !== queue.base) return;
  const all = judgeQueue(queue, readRuns(world));
  const begun = given.filter((plan, at) => {
    const open = findOpenRun(listRuns(place.commonDir), names[at] ?? plan);
    return !all[at]?.isDone && (!open || options.fresh);
  });
  // A mistake in the last plan is reported before the first one's consent is asked for.
  for (const dryRun of [true, false])
    for (const plan of begun) await inspectPlan(context, plan, { ...options, dryRun });
}

/** Branches of the other plans' runs. */
function branchesOf(judged: readonly PlanInQueue[], plan: string): ReadonlySet<string> {
  const others = judged.filter((one) => one.plan !== plan);
  return new Set(others.flatMap(({ run }) => run?.state.started.branch ?? []));
}

/** Runs of the plans, newest first; one that cannot be read is refused by name when its plan's turn comes. */
function readRuns({ place, names }: World): readonly QueuedRun[] {
  return listRuns(place.commonDir)
    .filter(({ started }) => names.includes(started.plan))
    .flatMap(({ run, folder, started }) => {
      const state = readIfSound(folder);
      return state ? [{ run, plan: started.plan, state }] : [];
    });
}

function refuseMisuse(names: readonly string[], { task, from, worktree }: RunOptions): void {
  if (worktree)
    throw new Failure('usage', `--worktree works with one plan only, and ${names.length} were given`, {
      hint: 'Start one command per plan: they run in parallel.',
    });
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Failure('usage', `${twice} is named twice`, {
      hint: 'Name each plan once; they run one after another.',
    });
  const flag = task === undefined ? '--from' : '--task';
  if (task !== undefined || from !== undefined)
    throw new Failure('usage', `${flag} works with one plan only, and ${names.length} were given`, {
      hint: `Leave out ${flag} to run them all, or name only the plan it refers to.`,
    });
}

/** A plan that is only on its own branch has no file here. */
function nameOf({ cwd }: CliContext, { root, commonDir }: Place, given: string): string {
  return knownName(listRuns(commonDir), root, realOf(path.resolve(cwd, given)));
}

function show({ context, options }: World, lines: readonly Line[]): void {
  if (!options.json) printLines(context, lines);
}
