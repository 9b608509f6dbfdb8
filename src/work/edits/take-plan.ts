// The plan for the next round: takes an edit that waits for the run, reads the file, tells the journal what is new, and whose
// the ticks are.
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanEdit, readPlanEditBase, removePlanEdit } from '../../plan/edit-file.ts';
import { writePlanFile } from '../../plan/file.ts';
import { keepTicks } from '../../plan/keep-ticks.ts';
import { isClosed, openOutside, type Task } from '../../plan/plan.ts';
import { withoutManualMark } from '../../plan/steps.ts';
import { hashPlan, readText, readTruth, type Truth } from '../plan/plan-snapshot.ts';
import type { WorkPlace } from '../ports.ts';
import { checksOf } from '../work.ts';
import { noteTreeOfPerson, tellOpened, tellTicked } from './external-edits.ts';

/** Reads the plan between two sessions, when a person may have changed it. */
export async function takePlan(place: WorkPlace): Promise<Truth> {
  if (place.run.options.review) return readTruth(place);
  const edited = takeEdit(place);
  const truth = readTruth(place);
  const hash = hashPlan(truth.text);
  const { plan: last, tasks } = place.run.state();
  if (last?.hash !== hash) {
    tellPlan(place, truth, hash);
    if (last) tellBoxes(place, truth, { last, tasks });
  }
  if (edited) await noteTreeOfPerson(place, truth);
  return truth;
}

/** An edit that `pawl edit` left for the run, linted there, becomes the plan; what was closed meanwhile stays closed. */
function takeEdit(place: Place): boolean {
  const text = readPlanEdit(place.run.folder);
  if (text === undefined) return false;
  const base = readPlanEditBase(place.run.folder);
  writePlanFile(place.plan.file, keepTicks(text, readText(place.plan.file), base));
  removePlanEdit(place.run.folder);
  place.run.emit({
    type: 'intervention',
    kind: 'hand-edit',
    text: `the plan was edited: ${place.plan.name}`,
  });
  return true;
}

function tellPlan(place: Place, truth: Truth, hash: string): void {
  const outside = openOutside(truth.plan).map(({ text, box }) => ({ text, line: box.line }));
  place.run.emit({
    type: 'plan-read',
    hash,
    checks: checksOf(place, truth).map((check) => check.command),
    tasks: truth.plan.tasks.map((task) => ({
      id: task.id,
      title: task.title,
      closed: isClosed(task),
      steps: task.steps.length,
      checks: task.checks.map((check) => check.command),
      manual: task.steps
        .filter((step) => step.manual && !step.ticked)
        .map((step) => withoutManualMark(step.text)),
      ...optionalOf(task),
    })),
    ...(outside.length > 0 ? { outside } : {}),
  });
}

function optionalOf({ steps }: Task): { optional?: string[] } {
  const optional = steps.filter((step) => step.optional && !step.ticked).map(({ text }) => text);
  return optional.length > 0 ? { optional } : {};
}

/** Tasks that a person ticked or opened again since the plan was last read: neither is ever taken for a session's work. */
function tellBoxes(
  place: Place,
  { plan }: Truth,
  { last, tasks }: Readonly<{ last: FactOf<'plan-read'>; tasks: RunState['tasks'] }>,
): void {
  const wasOpen = new Set(last.tasks.filter(({ closed }) => !closed).map(({ id }) => id));
  for (const task of plan.tasks) {
    const standing = tasks.get(task.id)?.standing;
    const wasClosed = standing === 'closed' || standing === 'closed-by-hand';
    if (isClosed(task) && !wasClosed && wasOpen.has(task.id)) {
      tellTicked(place, task.id);
    } else if (!isClosed(task) && wasClosed) {
      tellOpened(place, task.id);
    }
  }
}
