// Reads the plan for the next round, and journals new tasks and who ticked what.
import path from 'node:path';
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { orElse } from '../../or-else.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed, saysSame, type Task, untrackedBoxes, wordsOf } from '../../plan/plan.ts';
import { withoutManualMark } from '../../plan/steps.ts';
import type { WorkPlace } from '../landing.ts';
import { hashPlan, type PlanSnapshot, readPlanSnapshot, readText } from '../plan/plan-snapshot.ts';
import { keptPlan } from '../restart-files.ts';
import { checksOf } from '../work.ts';
import { emitOpenedByHand, emitTickedByHand } from './external-edits.ts';

export function readPlanWithEdits(place: WorkPlace): PlanSnapshot {
  // Edits are taken up only where the run's own plan is read.
  if (place.run.options.review || place.lane) return readPlanSnapshot(place);
  const planSnapshot = readPlanSnapshot(place);
  const hash = hashPlan(planSnapshot.text);
  const { plan: last, tasks } = place.run.state();
  if (last?.hash !== hash) {
    emitPlanRead(place, planSnapshot, hash);
    if (last) emitFlippedBoxes(place, planSnapshot, { last, tasks });
  }
  return planSnapshot;
}

function emitPlanRead(place: Place, planSnapshot: PlanSnapshot, hash: string): void {
  const isPersons = findPersonsTasks(place);
  const outside = untrackedBoxes(planSnapshot.plan);
  place.run.emit({
    type: 'plan-read',
    hash,
    checks: checksOf(place, planSnapshot).map((check) => check.command),
    tasks: planSnapshot.plan.tasks.map((task) => ({
      id: task.id,
      title: task.title,
      closed: isClosed(task),
      steps: task.steps.length,
      checks: task.checks.map((check) => check.command),
      manual: task.steps
        .filter((step) => step.manual && !step.ticked)
        .map((step) => withoutManualMark(step.text)),
      ...optionalOf(task),
      ...(task.files.length > 0 ? { files: [...task.files] } : {}),
      ...(isPersons(task) ? { leave: { files: [...task.files], text: wordsOf(task) } } : {}),
    })),
    ...(outside.length > 0 ? { outside } : {}),
  });
}

/** Not as they were in the plan before, nor as a planner made them. */
function findPersonsTasks(place: Place): (task: Task) => boolean {
  const texts = [
    keptPlan(place),
    ...place.run
      .state()
      .replans.flatMap(({ taking }) =>
        taking ? [orElse(() => readText(path.join(place.run.folder, taking.file)), undefined)] : [],
      ),
  ].filter((text) => text !== undefined);
  const before = texts.flatMap((text) => parsePlan(text, place.plan.file).tasks);
  return (task) => !before.some((other) => other.id === task.id && saysSame(other, task));
}

function optionalOf({ steps }: Task): { optional?: string[] } {
  const optional = steps.filter((step) => step.optional && !step.ticked).map(({ text }) => text);
  return optional.length > 0 ? { optional } : {};
}

/** What a person ticked or reopened is never taken for a session's work. */
function emitFlippedBoxes(
  place: Place,
  { plan }: PlanSnapshot,
  { last, tasks }: Readonly<{ last: FactOf<'plan-read'>; tasks: RunState['tasks'] }>,
): void {
  const wasOpen = new Set(last.tasks.filter(({ closed }) => !closed).map(({ id }) => id));
  for (const task of plan.tasks) {
    const standing = tasks.get(task.id)?.standing;
    const wasClosed = standing === 'closed' || standing === 'closed-by-hand';
    if (isClosed(task) && !wasClosed && wasOpen.has(task.id)) {
      emitTickedByHand(place, task.id);
    } else if (!isClosed(task) && wasClosed) {
      emitOpenedByHand(place, task.id);
    }
  }
}
