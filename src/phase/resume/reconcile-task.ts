// Acts on one row of the resume table.
import type { Outcome } from '../../agent/session/outcome.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { findClose } from '../../git/commit/history.ts';
import { takeSnapshot } from '../../git/protect/snapshot.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Task } from '../../plan/plan.ts';
import { checkCommit } from '../../work/close/close.ts';
import { confirmClose } from '../../work/close/confirm-close.ts';
import { summaryOf } from '../../work/close/summary.ts';
import { tickWork } from '../../work/close/tick-tree.ts';
import { emitOpenedByHand, emitTickedByHand } from '../../work/edits/external-edits.ts';
import { whyTaskCutOff } from '../../work/judge/judge-cut-offs.ts';
import { findWork } from '../../work/kind/fix.ts';
import { outcomeWith, readAnswersOfState } from '../../work/kind/fix-answers.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { endRound } from '../../work/loop/end-round.ts';
import { judgeTurn } from '../../work/loop/round.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { keptPlan } from '../../work/restart-files.ts';
import { stateOf, type Work } from '../../work/work.ts';
import type { Mend } from './resume.ts';

export async function reconcileTask(
  place: WorkPlace,
  task: Pick<Task, 'id'>,
  mend: Exclude<Mend, 'history-rewritten'>,
): Promise<void> {
  switch (mend) {
    case 'none':
      return;
    case 'confirm-close':
      return confirm(place, task, await findAnnounced(place, task));
    case 'check-commit':
      return checkAnnounced(place, task);
    case 'untick-and-check': {
      const kept = keptPlan(place);
      if (kept !== undefined) writePlanFile(place.plan.file, kept);
      return checkAgain(place, task);
    }
    case 'check-again':
      return checkAgain(place, task);
    case 'crashed':
      await saveRescuePoint(place, `work of the session on task ${task.id} that was cut off`);
      return judgeAgain(place, task, lastOutcome(place, task));
    case 'judge-again': {
      const outcome = lastOutcome(place, task);
      await saveRescuePoint(place, `work of the session on task ${task.id} that was not judged`);
      return judgeAgain(place, task, outcome);
    }
    case 'reopen':
      return emitOpenedByHand(place, task.id);
    case 'closed-by-hand':
      return emitTickedByHand(place, task.id);
  }
}

function lastOutcome(place: Place, task: Pick<Task, 'id'>): Outcome {
  const ended = [...place.run.state().sessions.values()].findLast(
    ({ started }) => started.task === task.id,
  )?.ended;
  if (!ended) throw new Error(`no session of task ${task.id} has ended`);
  const { outcome: kind, reason } = ended;
  if (kind === 'refused') return { kind, reason, remedies: [] };
  // The reason names the clock; no rule needs it.
  return kind === 'timed-out' ? { kind, reason, clock: 'session' } : { kind, reason };
}

async function confirm(
  place: Place,
  task: Pick<Task, 'id'>,
  { closing, oid }: Awaited<ReturnType<typeof findAnnounced>>,
): Promise<void> {
  const files = await changedFiles(place.repo, closing.parent, oid);
  confirmClose(place, closing, { oid, files, ticked: tickedText(place, task) });
}

async function checkAnnounced(place: Place, task: Pick<Task, 'id'>): Promise<void> {
  const { closing, oid } = await findAnnounced(place, task);
  const work = workOf(place, task);
  const rejection = await checkCommit(place, work, { oid, parent: closing.parent });
  if (!rejection) return confirm(place, task, { closing, oid });
  const { interrupted, ...why } = rejection;
  // A person cut the checks short.
  const verdict = { kind: 'again', reason: rejection.reason, counts: !interrupted } as const;
  await endRound(place, work, { ...why, verdict, tree: closing.tree });
}

/** Announced but not committed: the checks decide again. */
async function checkAgain(place: WorkPlace, task: Pick<Task, 'id'>): Promise<void> {
  const { closing } = place.run.state();
  if (closing?.task !== task.id) return;
  const kind = closing.outcome === 'already-done' ? 'already-done' : 'done';
  await judgeAgain(place, task, { kind, reason: closing.summary });
}

async function judgeAgain(place: WorkPlace, task: Pick<Task, 'id'>, outcome: Outcome): Promise<void> {
  const work = workOf(place, task);
  const cutOffs = whyTaskCutOff(place.run, task.id);
  // Its checks may be what takes pawl down.
  if (cutOffs !== undefined) return failUnjudged(place, work, cutOffs);
  const before = await takeSnapshot(place.repo);
  const said = work.kind === 'fix' ? readAnswersOfState(place, work.fix) : undefined;
  const ended = { outcome: outcomeWith(said, outcome), before, summary: summaryOf(outcome, []) };
  const { round } = await judgeTurn(place, { work, ended: { ...ended, ...defined({ said }) } });
  const { verdict } = round;
  if (verdict.kind === 'close') return;
  // pawl's own death is not the agent's fault: no waiting, no counted attempt.
  const counts = verdict.kind === 'again';
  await endRound(place, work, { ...round, verdict: { kind: 'again', reason: verdict.reason, counts } });
}

async function failUnjudged(place: WorkPlace, work: Work, reason: string): Promise<void> {
  const { tree = work.start.tree } = stateOf(place, work.task);
  await endRound(place, work, {
    verdict: { kind: 'fail', reason },
    evidence: '',
    fingerprint: undefined,
    tree,
  });
}

async function findAnnounced(
  place: Place,
  task: Pick<Task, 'id'>,
): Promise<{ closing: FactOf<'closing'>; oid: string }> {
  const { closing } = place.run.state();
  const commit = closing && (await findClose(place.repo, closing.key, place.run.state().started.base));
  if (!closing || !commit) throw new Error(`the announced commit of task ${task.id} was there a moment ago`);
  return { closing, oid: commit.oid };
}

function workOf(place: Place, task: Pick<Task, 'id'>): Work {
  const kept = keptPlan(place);
  const planSnapshot =
    kept === undefined ? readPlanSnapshot(place) : { text: kept, plan: parsePlan(kept, place.plan.file) };
  const work = findWork(place, planSnapshot, task.id);
  if (!work) throw new Error(`task ${task.id} was never started`);
  return work;
}

function tickedText(place: Place, task: Pick<Task, 'id'>): string {
  return tickWork(workOf(place, task));
}
