// Acts on one row of the resume table: confirms a close, checks again without a new session, takes up cut-off work.
import type { Outcome } from '../../agent/session/outcome.ts';
import type { FactOf } from '../../event.ts';
import { findClose } from '../../git/history.ts';
import { takeSnapshot } from '../../git/snapshot.ts';
import type { Context } from '../../place/context.ts';
import { writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Task } from '../../plan/plan.ts';
import { checkCommit, confirmClose } from '../../work/close/close.ts';
import { summaryOf } from '../../work/close/summary.ts';
import { tickWork } from '../../work/close/tick-tree.ts';
import { endRound } from '../../work/end-round.ts';
import { inspect } from '../../work/inspect/inspect.ts';
import { findWork } from '../../work/kind/fix.ts';
import { outcomeWith, recallAnswers } from '../../work/kind/fix-answers.ts';
import { tellOpened, tellTicked } from '../../work/plan/external-edits.ts';
import { readTruth } from '../../work/plan/plan-snapshot.ts';
import { takeRescue } from '../../work/rescue/rescue-point.ts';
import { closeUnlessMoved, judgeTurn, roundOf } from '../../work/round.ts';
import { keptPlan } from '../../work/run-files.ts';
import type { Work } from '../../work/work.ts';
import type { Mend } from './resume.ts';

/** Does what the table says about one task. */
export async function mendTask(
  ctx: Context,
  task: Pick<Task, 'id'>,
  mend: Exclude<Mend, 'history-rewritten'>,
): Promise<void> {
  switch (mend) {
    case 'none':
      return;
    case 'confirm-close':
      return confirm(ctx, task);
    case 'check-commit':
      return checkAnnounced(ctx, task);
    case 'untick-and-check': {
      const kept = keptPlan(ctx);
      if (kept !== undefined) writePlanFile(ctx.plan.file, kept);
      return checkAgain(ctx, task);
    }
    case 'check-again':
      return checkAgain(ctx, task);
    case 'crashed':
      await takeRescue(ctx, `work of the session on task ${task.id} that was cut off`);
      return judgeAgain(ctx, task, { kind: 'crashed', reason: 'pawl was ended while the session ran' });
    case 'judge-again': {
      const outcome = lastOutcome(ctx, task);
      await takeRescue(ctx, `work of the session on task ${task.id} that was not judged`);
      return judgeAgain(ctx, task, outcome);
    }
    case 'reopen':
      return tellOpened(ctx, task.id);
    case 'closed-by-hand':
      return tellTicked(ctx, task.id);
  }
}

/** How the task's last session ended, as far as the journal knows. */
function lastOutcome(ctx: Context, task: Pick<Task, 'id'>): Outcome {
  const ended = [...ctx.state().sessions.values()].findLast(({ started }) => started.task === task.id)?.ended;
  if (!ended) throw new Error(`no session of task ${task.id} has ended`);
  const { outcome: kind, reason } = ended;
  if (kind === 'refused') return { kind, reason, remedies: [] };
  // Which clock it was stands in the reason; no rule asks.
  return kind === 'timed-out' ? { kind, reason, clock: 'session' } : { kind, reason };
}

async function confirm(ctx: Context, task: Pick<Task, 'id'>): Promise<void> {
  const { closing, oid } = await findAnnounced(ctx, task);
  await confirmClose(ctx, closing, { oid, ticked: tickedText(ctx, task) });
}

async function checkAnnounced(ctx: Context, task: Pick<Task, 'id'>): Promise<void> {
  const { closing, oid } = await findAnnounced(ctx, task);
  const work = workOf(ctx, task);
  const rejection = await checkCommit(ctx, work, { oid, parent: closing.parent });
  if (!rejection) return confirmClose(ctx, closing, { oid, ticked: tickedText(ctx, task) });
  const { interrupted, ...why } = rejection;
  // Checks that a person cut short have found nothing against the work.
  const verdict = { kind: 'again', reason: rejection.reason, counts: !interrupted } as const;
  await endRound(ctx, work, { ...why, verdict, tree: closing.tree });
}

/** The close was announced and not committed: the checks decide once more, on the tree as it is. */
async function checkAgain(ctx: Context, task: Pick<Task, 'id'>): Promise<void> {
  const { closing } = ctx.state();
  if (closing?.task !== task.id) return;
  const kind = closing.outcome === 'already-done' ? 'already-done' : 'done';
  await judgeAgain(ctx, task, { kind, reason: closing.summary });
}

async function judgeAgain(ctx: Context, task: Pick<Task, 'id'>, outcome: Outcome): Promise<void> {
  const work = workOf(ctx, task);
  const before = await takeSnapshot(ctx.repo);
  const said = work.fix && recallAnswers(ctx, work.fix);
  const ended = { outcome: outcomeWith(said, outcome), before, ...(said ? { said } : {}) };
  const seen = await inspect(ctx, work, ended);
  const summary = summaryOf(outcome, []);
  const verdict = judgeTurn(ctx, work, { seen, outcome: ended.outcome, summary, canCorrect: false });
  const round =
    verdict.kind === 'close'
      ? await closeUnlessMoved(ctx, work, { seen, verdict, ended, summary })
      : roundOf(seen, verdict);
  if (round.verdict.kind === 'close') return;
  // pawl's own death is no fault of the agent's: it neither waits for it nor counts.
  const again = {
    kind: 'again',
    reason: round.verdict.reason,
    counts: round.verdict.kind === 'again',
  } as const;
  await endRound(ctx, work, { ...round, verdict: again });
}

async function findAnnounced(
  ctx: Context,
  task: Pick<Task, 'id'>,
): Promise<{ closing: FactOf<'closing'>; oid: string }> {
  const { closing } = ctx.state();
  const commit = closing && (await findClose(ctx.repo, closing.key, ctx.state().started.base));
  if (!closing || !commit) throw new Error(`the announced commit of task ${task.id} was there a moment ago`);
  return { closing, oid: commit.oid };
}

/** The task as it was in work: the plan as kept, without the ticks of a close that did not happen. */
function workOf(ctx: Context, task: Pick<Task, 'id'>): Work {
  const kept = keptPlan(ctx);
  const truth = kept === undefined ? readTruth(ctx) : { text: kept, plan: parsePlan(kept, ctx.plan.file) };
  const work = findWork(ctx, truth, task.id);
  if (!work) throw new Error(`task ${task.id} was never begun`);
  return work;
}

function tickedText(ctx: Context, task: Pick<Task, 'id'>): string {
  return tickWork(workOf(ctx, task));
}
