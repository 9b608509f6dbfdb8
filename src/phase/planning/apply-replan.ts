// Makes an accepted re-plan the run's plan: sets the old task's work aside, writes the file, commits it alone. After
// a kill each step checks whether it was done.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { isAway } from '../../journal/state.ts';
import type { Replan } from '../../journal/state-parts.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { hashPlan, readText } from '../../work/plan/plan-snapshot.ts';
import { restoreStart } from '../../work/rescue/rescue-point.ts';
import { readEvidence, writeEvidence } from '../../work/restart-files.ts';
import { commitPlanFile, planMessage } from '../open/commit-plan.ts';

/** Even after a kill; undefined if no new text is saved. */
export async function applyReplan(place: WorkPlace): Promise<FactOf<'replan-ended'> | undefined> {
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
