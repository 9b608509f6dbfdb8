// What happens first in an opened run, be it new or gone on with: a fact says so, with its queue and budgets; branch and plan
// are put in place.
import { askCaps, type Caps } from '../../event/budget.ts';
import { groundOf } from '../../event/run.ts';
import { enterBranch } from '../../git/choose-branch.ts';
import { removeLocks } from '../../git/lock-files.ts';
import { isFileChanged } from '../../git/status.ts';
import { listDirt } from '../../git/tree.ts';
import { stampUserFiles } from '../../git/user-files.ts';
import type { WorkplaceFacts } from '../../git/workplace.ts';
import type { RunState } from '../../journal/state.ts';
import type { Context } from '../../place/context.ts';
import { commitPlanFile } from './commit-plan.ts';
import { isAside } from './find-run.ts';
import { refuseResume } from './may-open.ts';
import { pruneOldRuns } from './prune.ts';
import type { OpenRequest } from './request.ts';

/** Begins a new run. */
export async function startRun(
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

/** Goes on with one that ended, or was cut off. */
export async function resumeRun(ctx: Context, past: RunState, request: OpenRequest): Promise<void> {
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
