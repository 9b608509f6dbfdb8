// A task that was cut off: its announced commit is confirmed, or the close rules decide on what is left.
import type { Outcome } from '../../agent/session/session-plan.ts';
import type { FactOf } from '../../event.ts';
import { findClose } from '../../git/commit/history.ts';
import { takeSnapshot } from '../../git/protect/snapshot.ts';
import { changedFiles } from '../../git/tree/changes.ts';
import type { TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { checkCommit, landCommit, tickWork, untickPlan } from '../../work/close/close.ts';
import { confirmClose } from '../../work/close/confirm-close.ts';
import { acceptDefinitionEdits } from '../../work/edits/external-edits.ts';
import { findWork } from '../../work/kind/fix.ts';
import { outcomeWith, readAnswersOfState } from '../../work/kind/fix-answers.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { summaryOf } from '../../work/loop/attempt.ts';
import { endRound } from '../../work/loop/end-round.ts';
import { unjudged } from '../../work/loop/inspect.ts';
import { judgeTurn } from '../../work/loop/judge-turn.ts';
import { readKeptPlan, readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { interrupted } from '../../work/stopped.ts';
import type { Work } from '../../work/work.ts';
import { takeCommits } from './cut-off.ts';

/** Checked first if a hook changed the commit; without one the checks decide again. */
export async function settleClosing(place: WorkPlace, closing: FactOf<'closing'>): Promise<void> {
  const { parent } = closing;
  const work = workOf(place, closing.task);
  const commit = await findClose(place.repo, closing.key, place.run.state().started.base);
  if (commit) {
    const { oid, tree } = commit;
    const rejection = tree === closing.tree ? undefined : await checkCommit(place, work, { oid, parent });
    // A person cut the checks short.
    if (rejection === 'interrupted')
      return void (await endRound(place, work, unjudged(place, work, interrupted)));
    if (rejection) {
      const verdict = { kind: 'again', reason: rejection.reason, counts: true } as const;
      return void (await endRound(place, work, { ...rejection, tree: closing.tree, verdict }));
    }
    if (await landCommit(place, work, { oid, closing })) {
      const files = await changedFiles(place.repo, parent, oid);
      return confirmClose(place, closing, { oid, files, ticked: tickWork(work) });
    }
  } else untickPlan(place, work);
  await judgeAgain(place, work, { ...closing, reason: closing.summary });
}

/** The close rules decide on what a session left, also by how it ended. */
export async function judgeLeft(place: WorkPlace, task: string): Promise<void> {
  const { ended } =
    [...place.run.state().sessions.values()].findLast(({ started }) => started.task === task) ?? {};
  if (!ended) throw new Error(`no session of task ${task} has ended`);
  // Commits come into a ground from home, where none of its sessions works.
  const commits = place.home && !place.lane ? await takeCommits(place) : undefined;
  if (commits) acceptDefinitionEdits(place, workOf(place, task), commits);
  const work = workOf(place, task);
  await saveRescuePoint(place, `work of the session on task ${task} that was not judged`);
  await judgeAgain(place, work, ended);
}

/** Another attempt follows. */
export function endUnjudged({ run }: Place, { id, attemptsEver }: TaskState, reason: string): void {
  const round = { task: id, attempt: attemptsEver, verdict: 'again', reason, counts: false } as const;
  run.emit({ type: 'round-ended', ...round });
}

type Left = Pick<FactOf<'session-ended'>, 'outcome' | 'reason'> & Readonly<{ summary?: string }>;

async function judgeAgain(place: WorkPlace, work: Work, left: Left): Promise<void> {
  const outcome: Outcome = { kind: left.outcome, reason: left.reason, remedies: [] };
  const said = work.kind === 'fix' ? readAnswersOfState(place, work.fix) : undefined;
  const { round } = await judgeTurn(place, {
    work,
    before: await takeSnapshot(place.repo),
    outcome: outcomeWith(said, outcome),
    summary: left.summary ?? summaryOf(outcome, []),
    said,
  });
  const { kind, reason } = round.verdict;
  if (kind === 'close') return;
  // The next start judges it.
  if (kind === 'stop' && place.run.signal.aborted) return void (await endRound(place, work, round));
  // pawl's own death is not the agent's fault: no waiting, no counted attempt.
  const counts = kind === 'again';
  await endRound(place, work, { ...round, verdict: { kind: 'again', reason, counts } });
}

function workOf(place: Place, id: string): Work {
  const work = findWork(place, readKeptPlan(place) ?? readPlanAt(place), id);
  if (!work) throw new Error(`task ${id} was never started`);
  return work;
}
