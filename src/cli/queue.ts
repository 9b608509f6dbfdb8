// Several plans in one command: each in turn on a branch of its own from where the command began, taken up again by the
// same command. What it knows of earlier starts it reads from the journals of the runs; how one plan is run it is given.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { configSchema } from '../config/schema.ts';
import { asFailure, Failure, pickExit } from '../failure.ts';
import { openRepo, type Repo } from '../git/repo.ts';
import { readHead, readRefs } from '../git/snapshot.ts';
import { listDirt } from '../git/tree.ts';
import { enterBranch, readWorkplace } from '../git/workplace.ts';
import { listRuns } from '../journal/folder.ts';
import { readJournal } from '../journal/journal.ts';
import { takeLock } from '../journal/lock.ts';
import { foldRun, hasOpenSession, type RunState } from '../journal/state.ts';
import { findOpenRun, namePlan } from '../phase/find-run.ts';
import type { RunOptions as PhaseOptions } from '../phase/phase.ts';
import {
  findQueue,
  goesOn,
  judgeQueue,
  type PlanInQueue,
  type Queue,
  type QueuedRun,
} from '../phase/queue.ts';
import { childEnvironment } from '../process/environment.ts';
import { createSpawn } from '../process/spawn.ts';
import { createSweep } from '../process/sweep.ts';
import type { Line } from '../report/line.ts';
import { type PlanEnd, wordNextPlan, wordQueueEnd } from '../report/wording-queue.ts';
import { type CliContext, printLines, say, wordFailure } from './context.ts';
import { realOf } from './find-plan.ts';
import { needPlace } from './find-run.ts';
import { inspectPlan } from './inspect-plan.ts';
import type { Place } from './place.ts';
import { awaitQueue } from './prepare-in-time.ts';
import type { RunOptions } from './run-options.ts';

/** How one plan is run; `place` is the queue's part of the run's options. */
export type RunInQueue = (
  given: string,
  queue: NonNullable<PhaseOptions['queue']>,
) => Promise<Readonly<{ exit: number; state: RunState }>>;

type World = Readonly<{
  context: CliContext;
  options: RunOptions;
  place: Place;
  repo: Repo;
  given: readonly string[];
  names: readonly string[];
}>;

/** Runs the plans in turn; the one exit code stands for all. */
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
  const world: World = { context, options, place, repo, given, names };
  const queue = (options.fresh ? undefined : findQueue(readRuns(world), names)) ?? (await beginQueue(world));
  await inspectAll(world, queue);
  const left = names.filter((_, at) => !judgeQueue(queue, readRuns(world))[at]?.isDone);
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
  show(world, wordQueueEnd([...ends, ...rest]));
  return pickExit(ends.flatMap(({ exit }) => exit ?? []));
}

type Next = Readonly<{ queue: Queue; plan: string; at: number; runOne: RunInQueue }>;

type Ended = PlanEnd & Readonly<{ goesOn?: boolean }>;

async function runNext(world: World, { queue, plan, at, runOne }: Next): Promise<Ended> {
  const { context, names } = world;
  const name = names[at] ?? plan;
  const before = judgeQueue(queue, readRuns(world)).find((one) => one.plan === name);
  const known = before?.run && { branch: before.run.state.started.branch };
  if (before?.isDone) return { plan: name, ...known, skipped: true };
  try {
    const resumes = await makeReady(world, name, queue.base);
    show(world, wordNextPlan(name, { number: at + 1, of: names.length, base: queue.base, resumes }));
    const { exit, state } = await runOne(plan, { ...queue, branches: branchesOf(world, queue, name) });
    return {
      plan: name,
      branch: state.started.branch,
      exit,
      finished: state.ended?.finished === true,
      goesOn: goesOn(exit, state),
    };
  } catch (error) {
    const failure = asFailure(error);
    // Nothing was begun: it is refused like a single plan.
    if (!failure || at === 0) throw error;
    context.stderr.write(wordFailure(context, failure));
    return { plan: name, exit: failure.exit, refusal: failure.message.split('\n', 1)[0] ?? '' };
  }
}

function goesOnAfter({ goesOn, exit, finished }: Ended, options: RunOptions): boolean {
  if (options.stopOnFailure && !(finished && (exit === 0 || exit === 4))) return false;
  return goesOn === true;
}

/** The branch a plan goes on or begins on is checked out, with nothing of anyone's in the tree; true when it goes on. */
async function makeReady(world: World, plan: string, base: string): Promise<boolean> {
  const { context, options, place, repo } = world;
  const past = options.fresh ? undefined : findOpenRun(listRuns(place.commonDir), plan)?.state;
  // What a cut-off session left, on whatever branch, the run itself puts back.
  if (past && hasOpenSession(past)) return true;
  const { refs } = await readRefs(repo);
  const wanted = past?.started.branch ?? base;
  const target = refs.has(`refs/heads/${wanted}`) ? wanted : base;
  if (readHead(repo).branch === target) return past !== undefined;
  const dirt = await listDirt(repo);
  if (dirt.length > 0) {
    const shown = dirt.slice(0, 10).join(', ');
    throw new Failure(
      'preflight',
      `${plan} is to be worked on from ${target}, but the tree has changes: ${shown}`,
      {
        hint: `Commit or stash them, then the same command goes on.`,
      },
    );
  }
  using _lock = takeLock(repo.gitDir, `the queue, before ${plan}`, context.now());
  await enterBranch(repo, { branch: target, create: false });
  return past !== undefined;
}

/** When all plans had their turn the branch the command began on is checked out again; what is in the way is said. */
async function returnTo(world: World, base: string): Promise<void> {
  const { context, repo } = world;
  const { branch } = readHead(repo);
  if (branch === base) return;
  try {
    if ((await listDirt(repo)).length > 0) throw new Failure('preflight', 'the tree has changes');
    using _lock = takeLock(repo.gitDir, 'the queue, at its end', context.now());
    await enterBranch(repo, { branch: base, create: false });
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    say(context, `${branch ?? 'no branch'} stays checked out, not ${base}: ${failure.message}`);
  }
}

/** A queue begins on the branch that is checked out, unless that is the own branch of a plan's unfinished run. */
async function beginQueue({ context, options, place, repo, names }: World): Promise<Queue> {
  const { branch, defaultBranch } = await readWorkplace(repo);
  const runs = options.fresh ? [] : listRuns(place.commonDir);
  const own = names.flatMap((name) => findOpenRun(runs, name)?.started.branch ?? []);
  const isOwn = branch !== undefined && own.includes(branch) && branch !== defaultBranch?.name;
  const base = isOwn ? defaultBranch?.name : branch;
  if (base === undefined)
    throw new Failure('preflight', 'it is not clear which branch the plans begin on', {
      hint: 'Check it out with `git switch <branch>`, and start again.',
    });
  return { queue: context.random(4), plans: names, base };
}

/** Every plan that is to be begun is judged before the first one starts. One that goes on lies on its own branch, and is judged there. */
async function inspectAll(world: World, queue: Queue): Promise<void> {
  const { context, options, place, repo, given, names } = world;
  if (readHead(repo).branch !== queue.base) return;
  const all = judgeQueue(queue, readRuns(world));
  for (const [at, plan] of given.entries()) {
    const open = findOpenRun(listRuns(place.commonDir), names[at] ?? plan);
    if (all[at]?.isDone || (open && !options.fresh)) continue;
    await inspectPlan(context, plan, options);
  }
}

function branchesOf(world: World, queue: Queue, plan: string): ReadonlySet<string> {
  const others = judgeQueue(queue, readRuns(world)).filter((one): one is PlanInQueue => one.plan !== plan);
  return new Set(others.flatMap(({ run }) => run?.state.started.branch ?? []));
}

/** Runs of the plans, newest first; one that cannot be read is refused by name when its plan's turn comes. */
function readRuns({ place, names }: World): readonly QueuedRun[] {
  return listRuns(place.commonDir)
    .filter(({ started }) => names.includes(started.plan))
    .flatMap(({ run, folder, started }) => {
      try {
        const state = foldRun(readJournal(folder));
        return state ? [{ run, plan: started.plan, state }] : [];
      } catch (error) {
        if (error instanceof Failure) return [];
        throw error;
      }
    });
}

function refuseMisuse(names: readonly string[], { task, from }: RunOptions): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Failure('usage', `${twice} is named twice`, { hint: 'Name each plan once; they run in turn.' });
  if (task !== undefined || from !== undefined)
    throw new Failure(
      'usage',
      `${task === undefined ? '--from' : '--task'} is meant for one plan, and ${names.length} are named`,
    );
}

function nameOf({ cwd }: CliContext, { root }: Place, given: string): string {
  const wanted = path.resolve(cwd, given);
  // A plan that is only on its own branch has no file here.
  const file = existsSync(wanted)
    ? realpathSync(wanted)
    : path.join(realOf(path.dirname(wanted)), path.basename(wanted));
  return namePlan(root, file);
}

/** The repository for reading and for changing the branch; no setting of the repository counts yet. */
function openPlainRepo(context: CliContext, { root }: Place): Promise<Repo> {
  const { clocks } = configSchema.parse({});
  return openRepo(root, {
    spawn: createSpawn(),
    sweep: createSweep(),
    env: childEnvironment(context.env),
    gitMs: clocks.git,
    commitMs: clocks.commit,
  });
}

function show({ context, options }: World, lines: readonly Line[]): void {
  if (!options.json) printLines(context, lines);
}
