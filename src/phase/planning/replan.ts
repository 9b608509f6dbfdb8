// Re-planning: whether a planner may be asked, and asking until one answer is accepted or none is left.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { ReplanWhy } from '../../event/replan.ts';
import type { FactOf } from '../../event.ts';
import { isAway, type RunState } from '../../journal/state.ts';
import type { Replan } from '../../journal/state-parts.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { diffLines } from '../../plan/line-diff.ts';
import { readPlanWithEdits } from '../../work/edits/external-edits.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { hashPlan, mayReplan, type PlanSnapshot, readText } from '../../work/plan/plan-snapshot.ts';
import { restoreStart } from '../../work/rescue/rescue-point.ts';
import { readEvidence, writeEvidence } from '../../work/restart-files.ts';
import type { Stop } from '../../work/stopped.ts';
import { restWhilePaused } from '../../work/wait/rest.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { commitPlanFile, planMessage } from '../open/commit-plan.ts';
import type { Reply } from '../review/hear-turn.ts';
import { askInLook, askPlanner, type PlannerAnswer } from './planner-session.ts';

export type Cause = Readonly<{ why: ReplanWhy; task: string; reason: string }>;

export type ReplanEnd = 'taken' | 'not-taken' | Stop;

const mostPasses = 100;

const mostDiff = 400;

export async function replan(place: WorkPlace, cause: Cause): Promise<ReplanEnd> {
  for (;;) {
    const { plan, text } = readPlanWithEdits(place);
    if (!mayReplan({ config: place.run.config, replans: place.run.state().replans }, cause.why, plan))
      return 'not-taken';
    const number = place.run.state().replans.length + 1;
    place.run.emit({ type: 'replan', state: 'started', replan: number, ...cause, plan: hashPlan(text) });
    const end = await completeReplan(place);
    if (end !== 'not-taken' || cause.why === 'after-task') return end;
    if (place.run.state().replans.at(-1)?.ended?.result === 'unchanged') return end;
    // A silent planner costs a whole timeout: not again for this cause.
    if (wasSilent(place.run.state())) return end;
  }
}

function wasSilent({ sessions }: RunState): boolean {
  const planners = [...sessions.values()].filter(({ started }) => started.role === 'replan');
  return planners.at(-1)?.ended?.outcome === 'timed-out';
}

/** Completes the last re-plan, even an earlier process's; `not-taken` if none is open. */
export async function completeReplan(place: WorkPlace): Promise<ReplanEnd> {
  const open = place.run.state().replans.at(-1);
  if (!open || open.ended) return 'not-taken';
  let end: ReplanEnd | undefined;
  for (let pass = 1; !end && pass <= mostPasses; pass += 1) end = await askOnce(place, open.started);
  end ??= failed(place, 'no planner finishes');
  if (end !== 'taken') return end;
  return (await applyReplan(place))?.result === 'taken' ? 'taken' : 'not-taken';
}

/** Undefined: something external ended its session; another pass follows. */
async function askOnce(place: WorkPlace, cause: Replan['started']): Promise<ReplanEnd | undefined> {
  if (place.run.state().replans.at(-1)?.taking) return 'taken';
  await restWhilePaused(place);
  const ask = async (root: string): Promise<Reply<Answered | 'edited'>> => {
    const planSnapshot = readPlanWithEdits(place);
    if (hashPlan(planSnapshot.text) !== cause.plan) return { kind: 'opinion', opinion: 'edited' };
    const reply = await askPlanner(place, { root, planSnapshot, task: cause.task, why: formatCause(cause) });
    return reply.kind === 'opinion' ? { ...reply, opinion: { ...reply.opinion, planSnapshot } } : reply;
  };
  const end = await askInLook(place, { role: 'replan', base: place.run.state().started.base, ask });
  switch (end?.kind) {
    case undefined:
      return undefined;
    case 'stop':
      return end;
    case 'missing':
      return failed(place, end.reason);
    case 'opinion':
      return end.opinion === 'edited' ? leaveToPerson(place) : concludeReplan(place, end.opinion);
  }
}

type Answered = PlannerAnswer & Readonly<{ planSnapshot: PlanSnapshot }>;

function concludeReplan(place: Place, { session, judged, planSnapshot }: Answered): ReplanEnd {
  switch (judged.kind) {
    case 'unchanged':
      return leave(place, 'unchanged', 'the planner leaves the plan as it is');
    case 'refused':
      return leave(place, 'refused', judged.reasons.join('; '));
    case 'taken':
      announceTaking(place, planSnapshot, { session, judged });
      return 'taken';
  }
}

/** Saved: from this fact on it will be applied. */
function announceTaking(
  place: Place,
  planSnapshot: PlanSnapshot,
  {
    session,
    judged,
  }: Readonly<{ session: number; judged: Extract<PlannerAnswer['judged'], { kind: 'taken' }> }>,
): void {
  const replan = numberOf(place);
  const { text } = judged;
  const file = `replan-${String(replan).padStart(3, '0')}.md`;
  writeFileAtomic(path.join(place.run.folder, file), text, 0o600);
  place.run.emit({
    type: 'replan',
    state: 'taking',
    ...{ replan, session, file, before: hashPlan(planSnapshot.text), after: hashPlan(text) },
    ...{ added: [...judged.added], changed: [...judged.changed] },
    diff: bounded(diffLines(planSnapshot.text, text)),
  });
}

function bounded(lines: readonly string[]): string[] {
  if (lines.length <= mostDiff) return [...lines];
  return [...lines.slice(0, mostDiff), `… and ${lines.length - mostDiff} lines more`];
}

function formatCause(cause: Cause): string {
  const { why, task, reason } = cause;
  switch (why) {
    case 'failure':
      return `Task ${task} failed, and no attempt at it is left: ${reason}.`;
    case 'request':
      return `The agent that works on task ${task} asks for another plan: ${reason}.`;
    case 'after-task':
      return `Task ${task} is done. See whether the open tasks still fit what is there now; most often they do.`;
  }
}

/** A person has changed the plan since: theirs is tried first. */
function leaveToPerson(place: Place): ReplanEnd {
  return leave(place, 'unchanged', 'a person changed the plan meanwhile');
}

function failed(place: Place, why: string): ReplanEnd {
  return leave(place, 'failed', why === '' ? 'the planner gave no answer' : why);
}

function leave(place: Place, result: 'unchanged' | 'refused' | 'failed', reason: string): ReplanEnd {
  place.run.emit({ type: 'replan', state: 'ended', replan: numberOf(place), result, reason });
  return 'not-taken';
}

function numberOf(place: Place): number {
  return place.run.state().replans.at(-1)?.started.replan ?? 0;
}

/** Even after a kill; undefined if no new text is saved. */
async function applyReplan(place: WorkPlace): Promise<FactOf<'replan-ended'> | undefined> {
  const open = place.run.state().replans.at(-1);
  const { taking } = open ?? {};
  if (!open || !taking || open.ended) return undefined;
  refuseElsewhere(place);
  const now = hashPlan(readText(place.plan.file));
  if (now !== taking.before && now !== taking.after) {
    return endReplan(place, open, {
      result: 'failed',
      reason: 'the plan was changed by someone else meanwhile',
    });
  }
  const rescue = await setWorkAside(place, open);
  // It may have been restored with the tree.
  if (hashPlan(readText(place.plan.file)) !== taking.after)
    writePlanFile(place.plan.file, readFileSync(path.join(place.run.folder, taking.file), 'utf8'));
  const oid = place.plan.tracked
    ? await commitPlanFile(place, place.plan.name, messageOf(place, open))
    : undefined;
  noteOldEvidence(place, open, rescue);
  return endReplan(place, open, {
    result: 'taken',
    reason: formatChange(taking),
    ...defined({ oid, rescue }),
  });
}

/** What was tried must not become part of tasks that now come first. */
async function setWorkAside(place: WorkPlace, { started }: Replan): Promise<string | undefined> {
  const task = place.run.state().tasks.get(started.task);
  // Work in a lane is not in this tree.
  if (task?.start?.lane !== undefined) return undefined;
  if (!task?.start || isAway(task) || task.standing === 'closed' || task.standing === 'closed-by-hand')
    return undefined;
  const { start } = task;
  return restoreStart(place, { start }, `before the plan is changed for task ${started.task}`);
}

function messageOf({ run }: Place, { started, taking }: Replan): string {
  const body = `${started.reason}\n\n${taking ? formatChange(taking) : ''}`.trim();
  const trailers = [`Pawl-Replan: ${started.replan}`];
  return planMessage(run, `re-plan ${formatWhy(started)}`, { body, trailers });
}

function formatWhy({ why, task }: Pick<FactOf<'replan-started'>, 'why' | 'task'>): string {
  switch (why) {
    case 'failure':
      return `after task ${task} failed`;
    case 'request':
      return `as task ${task} asked for`;
    case 'after-task':
      return `after task ${task} was closed`;
  }
}

function formatChange({ added, changed }: FactOf<'replan-taking'>): string {
  const parts = [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(changed.length > 0 ? [`changed ${changed.join(', ')}`] : []),
  ];
  return `tasks ${parts.join(', ')}`;
}

/** What was tried; the state tells where it is. */
function noteOldEvidence(place: Place, { started }: Replan, rescue: string | undefined): void {
  const task = place.run.state().tasks.get(started.task);
  if (!task || rescue === undefined) return;
  const before = readEvidence(place, started.task);
  const word = 'The plan has changed since: the text below is about an attempt at the old one.';
  if (before !== '' && !before.startsWith(word)) writeEvidence(place, started.task, `${word}\n\n${before}`);
}

function endReplan(
  place: Place,
  { started }: Replan,
  end: Omit<FactOf<'replan-ended'>, 'type' | 'state' | 'replan'>,
): FactOf<'replan-ended'> {
  const fact: FactOf<'replan-ended'> = { type: 'replan', state: 'ended', replan: started.replan, ...end };
  place.run.emit(fact);
  return fact;
}
