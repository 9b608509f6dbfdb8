// Before a resumed run goes on: ends what a crash left alive, and reconciles journal, git and plan task by task.

import { commitNow } from '../../event/rewritten.ts';
import { Failure } from '../../failure.ts';
import { listCommits, type TaskCommit } from '../../git/history.ts';
import { putBack } from '../../git/put-back.ts';
import { findWorkState, type SessionState } from '../../journal/state.ts';
import { removeLeftCheckouts } from '../../place/checkout.ts';
import type { Context } from '../../place/context.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed, type Task } from '../../plan/plan.ts';
import { tickTask } from '../../plan/tick.ts';
import { branchesTold, tellActs } from '../../work/inspect/guard.ts';
import { asFinalized, finalizeRule, listFinalized } from '../../work/kind/finalize-rule.ts';
import { isOver } from '../../work/kind/fix.ts';
import { acceptTree, noteTreeOfPerson, tellByHand } from '../../work/plan/external-edits.ts';
import { putPlanBack, readText } from '../../work/plan/plan-snapshot.ts';
import { takePlan } from '../../work/plan/take-plan.ts';
import { putBackOptions } from '../../work/rescue/rescue-point.ts';
import { bringWorkBack } from '../../work/rescue/set-aside.ts';
import { keptPlan, readKeptSnapshot } from '../../work/run-files.ts';
import { personsCommitsRule } from './persons-commits.ts';
import { takePersonsRewrite } from './persons-rewrite.ts';
import { mendTask } from './reconcile-task.ts';
import { judgeTraces, type Traces } from './resume.ts';

/** Takes up a run where it was left; on a new run it only reads the plan. */
export async function settle(ctx: Context): Promise<void> {
  const crashed = [...ctx.state().sessions.values()].filter((session) => !session.ended);
  for (const session of crashed) await endCrashed(ctx, session);
  removeLeftCheckouts(ctx);
  // A dialogue leaves tree, branch and plan alone.
  if (ctx.options.planning) return;
  // Reviewers and planners work in checkouts of their own: what changed in the repository since is no session's.
  const cut = crashed.findLast(({ started }) => worksHere.has(started.role)) ?? findUnjudged(ctx);
  if (cut) await putRepositoryBack(ctx, cut);
  const accepted = cut ? undefined : await acceptTree(ctx);
  if (!cut) await bringWorkBack(ctx);
  const before = ctx.state();
  const hasWork = before.plan !== undefined || ctx.options.review !== undefined;
  const rewritten = !cut && hasWork ? await takePersonsRewrite(ctx) : undefined;
  if (hasWork) await reconcile(ctx, cut);
  const truth = await takePlan(ctx);
  if (!cut && hasWork) await noteTreeOfPerson(ctx, truth, accepted?.edits);
  // Last: a start that is refused has taken nothing, and what a person did is told once.
  tellByHand(ctx, [...(accepted?.told ?? []), ...(rewritten === undefined ? [] : [rewritten])]);
}

/** Those who work in the run's own tree. */
const worksHere: ReadonlySet<string> = new Set(['task', 'fix', 'finalize']);

/** The session of an attempt that a crash left without a verdict, though the session itself had ended. */
function findUnjudged(ctx: Context): SessionState | undefined {
  const state = ctx.state();
  const last = [...state.sessions.values()].at(-1);
  const task = findWorkState(state, last?.started.task);
  if (ctx.options.leftTree !== undefined || state.closing || !task || task.standing !== 'open')
    return undefined;
  const { lastRound } = task;
  const isJudged = lastRound?.attempt === task.attemptsEver && lastRound.verdict !== 'correct';
  return isJudged || last?.started.attempt !== task.attemptsEver ? undefined : last;
}

/** A session without an end: pawl was killed. Its processes are ended and its cost is a lower bound. */
async function endCrashed(ctx: Context, session: SessionState): Promise<void> {
  const { session: number, mark } = session.started;
  const ended = await ctx.sweep.end(`PAWL_SESSION=${mark}`);
  if (ended.length > 0) {
    const processes = ended.map(({ pid, command }) => ({ pid, command }));
    ctx.emit({ type: 'leftovers-ended', session: number, processes });
  }
  ctx.emit({
    type: 'session-ended',
    session: number,
    outcome: 'crashed',
    reason: 'pawl was ended while it ran',
    ...(session.costUsd === undefined ? {} : { costUsd: session.costUsd }),
    costAtLeast: true,
    durationMs: Math.max(0, Date.parse(ctx.state().lastAt) - Date.parse(session.started.at)),
    exitCode: null,
    signal: null,
  });
}

/** Hooks, config, branch and plan as they were when the cut-off session began. */
async function putRepositoryBack(ctx: Context, cut: SessionState): Promise<void> {
  const snapshot = readKeptSnapshot(ctx);
  const whose = {
    session: cut.started.session,
    ...(cut.started.task === undefined ? {} : { task: cut.started.task }),
  };
  if (snapshot) {
    const past = findWorkState(ctx.state(), whose.task)?.acts ?? ctx.state().acts;
    const before = asFinalized(ctx, snapshot);
    const rule = cut.started.role === 'finalize' ? finalizeRule(ctx).mayStay : undefined;
    const { acts } = await putBack(ctx.repo, before, {
      ...putBackOptions(ctx, treeOf(ctx, whose.task)),
      ...personsCommitsRule(ctx, { session: whose.session, before }, rule),
      told: branchesTold(past, whose.session),
    });
    tellActs(ctx, { past, whose, acts });
  }
  const kept = keptPlan(ctx);
  // While a task closes, the ticks in the file are pawl's own: the table decides about them.
  if (kept !== undefined && !ctx.state().closing) {
    putPlanBack(ctx, { text: kept, plan: parsePlan(kept, ctx.plan.file) }, whose);
  }
}

function treeOf(ctx: Context, task: string | undefined): string | undefined {
  return findWorkState(ctx.state(), task)?.tree;
}

async function reconcile(ctx: Context, cut: SessionState | undefined): Promise<void> {
  const commits = await listCommits(ctx.repo, ctx.state().started.base);
  const finalized = await listFinalized(ctx);
  const text = readText(ctx.plan.file);
  const plan = parsePlan(text, ctx.plan.file);
  const tasks = ctx.options.review ? [] : plan.tasks;
  for (const task of [...tasks, ...openFixes(ctx)]) {
    const traces = tracesOf(ctx, task, { commits, finalized, text, cut });
    const mend = judgeTraces(traces);
    if (mend === 'history-rewritten') throw lostCommit(ctx, task);
    await mendTask(ctx, task, mend);
  }
}

/** What was mended for a review and not yet told as ended. Its box is open for good: it has none. */
function openFixes(ctx: Context): readonly Reconciled[] {
  const fixes = [...ctx.state().fixes.values()];
  return fixes.filter((fix) => fix.standing === 'open' && !isOver(ctx, fix)).map(({ id }) => ({ id }));
}

/** A task of the plan, or a work that has no steps. */
type Reconciled = Pick<Task, 'id'> & Partial<Pick<Task, 'steps'>>;

function tracesOf(
  ctx: Context,
  task: Reconciled,
  seen: {
    commits: readonly TaskCommit[];
    finalized: ReadonlySet<string>;
    text: string;
    cut: SessionState | undefined;
  },
): Traces {
  const state = ctx.state();
  const known = findWorkState(state, task.id);
  const closing = state.closing?.task === task.id ? state.closing : undefined;
  const oid = known?.closed?.oid;
  const commit = seen.commits.find((one) => (closing ? one.key === closing.key : one.oid === oid));
  const isFinalized = !closing && oid !== undefined && seen.finalized.has(oid);
  return {
    journal: closing
      ? 'closing'
      : known?.standing === 'closed'
        ? 'closed'
        : seen.cut?.started.task === task.id
          ? seen.cut.ended
            ? 'unjudged'
            : 'session'
          : 'nothing',
    commit: commit ? formatCommit(commit, closing) : isFinalized ? 'same-tree' : 'none',
    plan: task.steps && isClosed({ steps: task.steps }) ? 'ticked' : 'open',
    // Asked of the one task that was closing alone: it takes a reading of the whole plan.
    ticksAreOurs: closing !== undefined && task.steps !== undefined && isOwnTick(ctx, task, seen.text),
    tickedAtStart:
      known?.standing === 'closed-by-hand' ||
      (state.plan?.tasks.find(({ id }) => id === task.id)?.closed ?? false),
  };
}

function formatCommit(commit: TaskCommit, closing: Readonly<{ tree: string }> | undefined): Traces['commit'] {
  return closing && commit.tree !== closing.tree ? 'other-tree' : 'same-tree';
}

function isOwnTick(ctx: Context, task: Pick<Task, 'id'>, text: string): boolean {
  const kept = keptPlan(ctx);
  return kept !== undefined && tickTask(parsePlan(kept, 'plan'), task.id) === text;
}

function lostCommit(ctx: Context, task: Pick<Task, 'id'>): Failure {
  const oid = commitNow(ctx.state(), ctx.state().tasks.get(task.id)?.closed?.oid ?? '');
  return new Failure(
    'history',
    `task ${task.id} is ticked, but its commit ${oid.slice(0, 12)} is not in the branch any more`,
    {
      hint: `Bring it back with \`git cherry-pick ${oid.slice(0, 12)}\`, or untick the task in the plan to have it done again.`,
    },
  );
}
