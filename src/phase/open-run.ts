// Opens a run: takes the lock, finds the unfinished run of the plan or makes a new one, and puts branch and plan in place.
import path from 'node:path';
import type { Emit, Event, Fact, FactOf, Stamped } from '../event.ts';
import { Failure } from '../failure.ts';
import { planCommit } from '../git/commit.ts';
import { listDirt, listUntracked } from '../git/tree.ts';
import { stampUserFiles } from '../git/user-files.ts';
import { chooseBranch, enterBranch, type WorkplaceFacts } from '../git/workplace.ts';
import { listRuns, makeRunFolder, pruneRuns, type RunFolder } from '../journal/folder.ts';
import { Journal, readJournal } from '../journal/journal.ts';
import { takeLock } from '../journal/lock.ts';
import { foldFact, foldRun, type RunState, startState } from '../journal/state.ts';
import { branchName } from '../plan/branch.ts';
import type { Context, PlanPlace, RunOptions } from './phase.ts';

/** What an opened run needs that the command line has put together. */
export type OpenRequest = Readonly<{
  base: Omit<Context, 'run' | 'plan' | 'index' | 'emit' | 'state' | 'options'>;
  planFile: string;
  workplace: WorkplaceFacts;
  /** Facts about the start that the header shows and the journal keeps. */
  about: Omit<FactOf<'run-started'>, 'type' | 'run' | 'plan' | 'planPlace' | 'branch' | 'base' | 'untracked'>;
  options: Omit<RunOptions, 'leftTree' | 'leftHead'>;
  /** Starts a new run although an unfinished one exists. */
  fresh: boolean;
  mask: (text: string) => string;
  /** Reporters. */
  show: (event: Stamped<Event>) => void;
  /** Is told of a run that is taken up again what it was when it stopped. */
  greet: (past: RunState) => void;
}>;

/** An opened run; disposing it closes the journal and frees the lock. */
export type OpenRun = Readonly<{ ctx: Context }> & Disposable;

/** Opens the run. Nothing outside `.git/pawl` has changed before the run's start is journaled. */
export async function openRun(request: OpenRequest): Promise<OpenRun> {
  const { repo, config, now } = request.base;
  const plan = placePlan(request);
  const open = request.fresh ? undefined : findOpenRun(listRuns(repo.commonDir), plan.name);
  const choice = open
    ? undefined
    : chooseBranch(request.workplace, {
        planBranch: branchName(request.planFile),
        ...(config.branch === undefined ? {} : { branch: config.branch }),
      });
  if (choice instanceof Failure) throw choice;
  const made =
    open ?? makeRunFolder(repo.commonDir, now(), branchName(request.planFile).replaceAll('/', '-'));
  const run = { id: made.run, folder: made.folder };
  const lock = takeLock(repo.gitDir, run.id, now());
  const journal = new Journal(run.folder, request.mask);
  const past = open ? foldRun(readJournal(run.folder)) : undefined;
  const voice = new Voice(journal, past, request);
  const ctx: Context = {
    ...request.base,
    run,
    plan,
    index: path.join(run.folder, 'index'),
    emit: voice.emit,
    state: () => voice.state,
    options: {
      ...request.options,
      ...(past?.ended?.tree === undefined ? {} : { leftTree: past.ended.tree }),
      ...(past?.ended?.head === undefined ? {} : { leftHead: past.ended.head }),
    },
  };
  const release = {
    ctx,
    [Symbol.dispose]: () => {
      journal.close();
      lock[Symbol.dispose]();
    },
  };
  try {
    if (past) request.greet(past);
    if (past) await resume(ctx, past, request);
    else await start(ctx, request, choice ?? { branch: '', create: false });
    return release;
  } catch (error) {
    release[Symbol.dispose]();
    throw error;
  }
}

/** Journals and folds facts, and shows all events. */
class Voice {
  readonly #journal: Journal;
  readonly #request: OpenRequest;
  #state: RunState | undefined;

  constructor(journal: Journal, state: RunState | undefined, request: OpenRequest) {
    this.#journal = journal;
    this.#state = state;
    this.#request = request;
  }

  get state(): RunState {
    if (!this.#state) throw new Error('the run has not started');
    return this.#state;
  }

  readonly emit: Emit = (event) => {
    const at = this.#request.base.now();
    if (event.type === 'activity') return this.#request.show({ v: 1, at: at.toISOString(), ...event });
    const fact: Stamped<Fact> = this.#journal.append(event, at);
    this.#state = this.#state
      ? foldFact(this.#state, fact)
      : startState(fact as Stamped<FactOf<'run-started'>>);
    this.#request.show(fact);
  };
}

async function start(
  ctx: Context,
  request: OpenRequest,
  choice: { branch: string; create: boolean },
): Promise<void> {
  const { repo } = ctx;
  const runs = listRuns(repo.commonDir).filter(({ run }) => run !== ctx.run.id);
  pruneRuns(
    runs.filter(isFinished).map(({ folder }) => folder),
    ctx.config.journal.keep,
  );
  const untracked = await listUntracked(repo);
  ctx.emit({
    type: 'run-started',
    run: ctx.run.id,
    plan: ctx.plan.name,
    planPlace: ctx.plan.tracked ? 'tracked' : 'outside',
    branch: choice.branch,
    base: request.workplace.head,
    untracked: untracked.filter((file) => file !== ctx.plan.name),
    ...request.about,
  });
  stampUserFiles(repo, ctx.index, ctx.state().started.untracked);
  await enterRunBranch(ctx, request.workplace, choice);
  await commitPlan(ctx, untracked);
}

async function resume(ctx: Context, past: RunState, request: OpenRequest): Promise<void> {
  const dirt = [...(await listDirt(ctx.repo))];
  ctx.emit({ type: 'run-resumed', pawl: request.about.pawl, after: past.ended ? 'stop' : 'crash', dirt });
  if (past.ended) ctx.emit({ type: 'intervention', kind: 'rerun', text: 'the run was started again' });
  const { branch } = past.started;
  // A cut-off session may have left HEAD anywhere: `settle` puts it back from the kept snapshot.
  const cut = [...past.sessions.values()].some((session) => !session.ended);
  if (!cut && request.workplace.branch !== branch) {
    if (past.tasks.size > 0) {
      throw new Failure(
        'preflight',
        `the run works on ${branch}, but ${request.workplace.branch ?? 'no branch'} is checked out`,
        {
          hint: `Go back with \`git switch ${branch}\`, or start anew with --fresh.`,
        },
      );
    }
    await enterRunBranch(ctx, request.workplace, { branch, create: !past.branchCreated });
  }
  if (!past.plan) await commitPlan(ctx, await listUntracked(ctx.repo));
}

async function enterRunBranch(
  ctx: Context,
  workplace: WorkplaceFacts,
  choice: { branch: string; create: boolean },
): Promise<void> {
  if (workplace.branch === choice.branch) return;
  await enterBranch(ctx.repo, choice);
  if (choice.create)
    ctx.emit({ type: 'branch-created', branch: choice.branch, from: workplace.branch ?? workplace.head });
}

/** An untracked or changed plan is committed first, alone, so that every protection has a base. */
async function commitPlan(ctx: Context, untracked: readonly string[]): Promise<void> {
  if (!ctx.plan.tracked) return;
  const dirt = await listDirt(ctx.repo);
  if (!untracked.includes(ctx.plan.name) && !dirt.includes(ctx.plan.name)) return;
  const oid = await planCommit(ctx.repo, {
    file: ctx.plan.name,
    message: `plan: ${path.basename(ctx.plan.name)}\n\nPawl-Run: ${ctx.run.id}`,
    mark: `PAWL_CHECK=${ctx.run.folder}/commit`,
  });
  ctx.emit({ type: 'plan-committed', oid, plan: ctx.plan.name });
}

/** The newest unfinished run of a plan. */
export function findOpenRun(runs: readonly RunFolder[], plan: string): RunFolder | undefined {
  const newest = runs.find(({ started }) => started.plan === plan);
  return newest && !isFinished(newest) ? newest : undefined;
}

function isFinished(run: RunFolder): boolean {
  return foldRun(readJournal(run.folder))?.ended?.finished ?? false;
}

/** The plan's name in journal and messages: relative to the repository's root, or absolute when it lies outside. */
export function namePlan(root: string, file: string): string {
  const relative = path.relative(root, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

function placePlan({ base, planFile, workplace }: OpenRequest): PlanPlace {
  const name = namePlan(base.repo.root, planFile);
  return { file: planFile, name, tracked: name !== planFile && !workplace.planIgnored };
}
