// Opens a run: takes the lock, finds the unfinished run of the plan or makes a new one, and puts branch and plan in place.

import path from 'node:path';
import { removeOwnFolder } from '../../disk.ts';
import { Disposal } from '../../disposal.ts';
import { askCaps, type Caps } from '../../event/budget.ts';
import { groundOf } from '../../event/run.ts';
import { asFailure, Failure } from '../../failure.ts';
import { enterBranch } from '../../git/choose-branch.ts';
import { removeLocks } from '../../git/lock-files.ts';
import { isFileChanged } from '../../git/status.ts';
import { listDirt } from '../../git/tree.ts';
import { stampUserFiles } from '../../git/user-files.ts';
import type { WorkplaceFacts } from '../../git/workplace.ts';
import { OtherRuns } from '../../journal/day.ts';
import { foldRun } from '../../journal/fold.ts';
import { inRun, makeRunFolder } from '../../journal/folder.ts';
import { Journal, readJournal } from '../../journal/journal.ts';
import { findHolders, heldByTwin, takeLock } from '../../journal/lock.ts';
import type { RunState } from '../../journal/state.ts';
import { removeDrafts, writeFileAtomic } from '../../write-file.ts';
import { reasonOfFailure } from '../finish.ts';
import type { Context, PlanPlace } from '../phase.ts';
import { hands } from '../task/hands.ts';
import { commitPlanFile } from './commit-plan.ts';
import { folderName, isAside, namePlan } from './find-run.ts';
import { chooseBranchFor, findOpenFor, refuseResume } from './may-open.ts';
import { pruneOldRuns } from './prune.ts';
import type { OpenRequest } from './request.ts';
import { Voice } from './voice.ts';

/** An opened run; disposing it closes the journal and frees the lock. */
export type OpenRun = Readonly<{ ctx: Context }> & Disposable;

/** Opens the run. Nothing outside `.git/pawl` has changed before the run's start is journaled. */
export async function openRun(request: OpenRequest): Promise<OpenRun> {
  const { repo, now } = request.base;
  const open = findOpenFor(request);
  const choice = open ? undefined : chooseBranchFor(request);
  if (choice instanceof Failure) throw choice;
  const { run, folder } = open ?? makeRunFolder(repo.commonDir, now(), folderName(request.planFile));
  const planFile = path.resolve(folder, request.planFile);
  using stack = new Disposal();
  stack.use(lockRun(request, { id: run, folder, isNew: !open }));
  removeDrafts(path.dirname(planFile), path.basename(planFile));
  for (const own of [folder, path.join(folder, inRun.sessions)]) removeDrafts(own);
  if (request.goal !== undefined) writeFileAtomic(planFile, request.goal, 0o600);
  const journal = new Journal(folder, request.mask);
  stack.defer(() => journal.close());
  const past = open ? foldRun(readJournal(folder)) : undefined;
  const voice = new Voice(journal, past, { now, show: request.show });
  const ctx = contextOf({ ...request, planFile }, { run: { id: run, folder }, past, voice });
  try {
    if (past) request.greet(past);
    if (past) await resume(ctx, past, request);
    else await start(ctx, request, choice ?? { branch: '', create: false });
  } catch (error) {
    const failure = asFailure(error);
    if (failure && voice.hasSpoken) tellRefusal(ctx, failure);
    throw error;
  }
  const kept = stack.move();
  return { ctx, [Symbol.dispose]: () => kept[Symbol.dispose]() };
}

/** Takes the working tree's lock, or that of a dialogue, and sees that no other tree has a run of the plan; refused, a run that would have been new leaves no folder. */
function lockRun(
  request: OpenRequest,
  run: Readonly<{ id: string; folder: string; isNew: boolean }>,
): Disposable {
  const { base, socket, about } = request;
  // A review works on a branch, not on the plan; a dialogue has none yet.
  const plan = isAside(about) ? {} : { plan: placePlan(request).name };
  try {
    const { repo } = base;
    if (about.planning) return takeLock(run.folder, run.id, base.now(), { socket });
    using stack = new Disposal();
    stack.use(takeLock(repo.gitDir, run.id, base.now(), { socket, ...plan, tree: repo.root }));
    // After its own lock is taken: of two that begin at once each sees the other.
    const twin = findHolders(repo.commonDir).find(
      ({ gitDir, holder }) =>
        gitDir !== repo.gitDir && holder.plan !== undefined && holder.plan === plan.plan,
    );
    if (twin) throw heldByTwin(twin.holder, twin.holder.plan ?? '');
    return stack.move();
  } catch (error) {
    if (run.isNew) removeOwnFolder(run.folder);
    throw error;
  }
}

function contextOf(
  request: OpenRequest,
  { run, past, voice }: Readonly<{ run: Context['run']; past: RunState | undefined; voice: Voice }>,
): Context {
  const { tree, head } = past?.ended ?? {};
  const others = new OtherRuns(request.base.repo.commonDir, run.id);
  return {
    ...request.base,
    run,
    plan: placePlan(request),
    index: path.join(run.folder, 'index'),
    hands,
    emit: voice.emit,
    state: () => voice.state,
    today: (now) => others.spentToday(now),
    wake: () => voice.wake,
    options: {
      ...request.options,
      ...(tree === undefined ? {} : { leftTree: tree }),
      ...(head === undefined ? {} : { leftHead: head }),
    },
  };
}

/** A start that failed before the run went on has changed nothing of what the stop before it left. */
function tellRefusal({ emit, options }: Context, failure: Failure): void {
  const { leftTree, leftHead } = options;
  emit({
    type: 'run-ended',
    exit: failure.exit,
    reasons: [reasonOfFailure(failure)],
    retryable: true,
    finished: false,
    ...(leftTree === undefined ? {} : { tree: leftTree }),
    ...(leftHead === undefined ? {} : { head: leftHead }),
  });
}

async function start(
  ctx: Context,
  request: OpenRequest,
  choice: { branch: string; create: boolean },
): Promise<void> {
  const { repo } = ctx;
  pruneOldRuns(repo.commonDir, {
    keep: ctx.config.journal.keep,
    queue: ctx.options.queue?.queue,
    now: ctx.now(),
  });
  const { untracked, planChanged } = request.workplace;
  ctx.emit({
    type: 'run-started',
    run: ctx.run.id,
    plan: ctx.plan.name,
    planPlace: ctx.plan.tracked ? 'tracked' : 'outside',
    branch: choice.branch,
    base: request.workplace.head,
    untracked: [...untracked],
    ...request.about,
  });
  tellQueue(ctx);
  setCaps(ctx, request.caps);
  stampUserFiles(repo, ctx.index, ctx.state().started.untracked);
  // What is only reviewed, or planned for, stays as it is.
  if (isAside(request.about)) return;
  await enterRunBranch(ctx, request.workplace, choice);
  // On a branch that was there before, what is committed may be another plan.
  const isSame = choice.create || choice.branch === request.workplace.branch;
  if (isSame ? planChanged : await isFileChanged(repo, ctx.plan.name)) await commitPlan(ctx);
}

function tellQueue({ emit, options }: Context): void {
  if (!options.queue) return;
  const { queue, plans, base } = options.queue;
  emit({ type: 'queued', queue, plans: [...plans], base });
}

/** What a person asked at an earlier start holds until they ask again; the settings are those of this start. */
function setCaps(ctx: Context, { settings, asked }: Caps): void {
  const past = ctx.state().caps;
  ctx.emit({ type: 'budgets-set', settings: [...settings], asked: [...askCaps(past, asked).asked] });
}

async function resume(ctx: Context, past: RunState, request: OpenRequest): Promise<void> {
  const isElsewhere = await refuseResume(request, past);
  const { branch, untracked } = past.started;
  const locks = past.ended ? [] : await removeLocks(ctx.repo, { branch, since: new Date(past.started.at) });
  const dirt = [...(await listDirt(ctx.repo))];
  const { pawl, worktree } = request.about;
  ctx.emit({
    type: 'run-resumed',
    run: ctx.run.id,
    plan: ctx.plan.name,
    pawl,
    ground: groundOf(request.about),
    after: past.ended ? 'stop' : 'crash',
    dirt,
    ...(worktree && worktree.path !== past.worktree?.path ? { worktree } : {}),
  });
  tellQueue(ctx);
  for (const lock of locks)
    ctx.emit({
      type: 'noticed',
      code: 'dead-lock',
      text: `a git that was ended left ${lock}; it was removed`,
    });
  setCaps(ctx, request.caps);
  if (past.ended) ctx.emit({ type: 'intervention', kind: 'rerun', text: 'the run was started again' });
  // Before the first session whatever they are is as the user has them; a kill may have come before they were looked at.
  if (past.sessions.size === 0) stampUserFiles(ctx.repo, ctx.index, untracked);
  if (isAside(request.about)) return;
  if (isElsewhere)
    await enterRunBranch(ctx, request.workplace, { branch, create: past.branchFrom === undefined });
  if (!past.plan && (await isFileChanged(ctx.repo, ctx.plan.name))) await commitPlan(ctx);
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
async function commitPlan(ctx: Context): Promise<void> {
  if (!ctx.plan.tracked) return;
  const oid = await commitPlanFile(ctx, ctx.plan.name);
  ctx.emit({ type: 'plan-committed', oid, plan: ctx.plan.name });
}

function placePlan({ base, planFile, workplace, about }: OpenRequest): PlanPlace {
  const name = namePlan(base.repo.root, planFile);
  // Who works on no plan ticks nothing.
  const tracked = name !== planFile && !workplace.planIgnored && !isAside(about);
  return { file: planFile, name, tracked };
}
