// The plan for the next round: takes an edit that waits for the run, reads the file, tells the journal what is new, and whose
// the ticks are.
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import type { Context } from '../../place/context.ts';
import { readPlanEdit, readPlanEditBase, removePlanEdit } from '../../plan/edit-file.ts';
import { writePlanFile } from '../../plan/file.ts';
import { keepTicks } from '../../plan/keep-ticks.ts';
import { isClosed } from '../../plan/plan.ts';
import { withoutManualMark } from '../../plan/steps.ts';
import { checksOf } from '../work.ts';
import { noteTreeOfPerson, tellOpened, tellTicked } from './external-edits.ts';
import { hashPlan, readText, readTruth, type Truth } from './plan-snapshot.ts';

/** Reads the plan between two sessions, when a person may have changed it. */
export async function takePlan(ctx: Context): Promise<Truth> {
  if (ctx.options.review) return readTruth(ctx);
  const edited = takeEdit(ctx);
  const truth = readTruth(ctx);
  const hash = hashPlan(truth.text);
  const { plan: last, tasks } = ctx.state();
  if (last?.hash !== hash) {
    tellPlan(ctx, truth, hash);
    if (last) tellBoxes(ctx, truth, { last, tasks });
  }
  if (edited) await noteTreeOfPerson(ctx, truth);
  return truth;
}

/** An edit that `pawl edit` left for the run, linted there, becomes the plan; what was closed meanwhile stays closed. */
function takeEdit(ctx: Context): boolean {
  const text = readPlanEdit(ctx.run.folder);
  if (text === undefined) return false;
  const base = readPlanEditBase(ctx.run.folder);
  writePlanFile(ctx.plan.file, keepTicks(text, readText(ctx.plan.file), base));
  removePlanEdit(ctx.run.folder);
  ctx.emit({ type: 'intervention', kind: 'hand-edit', text: `the plan was edited: ${ctx.plan.name}` });
  return true;
}

function tellPlan(ctx: Context, truth: Truth, hash: string): void {
  ctx.emit({
    type: 'plan-read',
    hash,
    checks: checksOf(ctx, truth).map((check) => check.command),
    tasks: truth.plan.tasks.map((task) => ({
      id: task.id,
      title: task.title,
      closed: isClosed(task),
      steps: task.steps.length,
      checks: task.checks.map((check) => check.command),
      manual: task.steps
        .filter((step) => step.manual && !step.ticked)
        .map((step) => withoutManualMark(step.text)),
    })),
  });
}

/** Tasks that a person ticked or opened again since the plan was last read: neither is ever taken for a session's work. */
function tellBoxes(
  ctx: Context,
  { plan }: Truth,
  { last, tasks }: Readonly<{ last: FactOf<'plan-read'>; tasks: RunState['tasks'] }>,
): void {
  const wasOpen = new Set(last.tasks.filter(({ closed }) => !closed).map(({ id }) => id));
  for (const task of plan.tasks) {
    const standing = tasks.get(task.id)?.standing;
    const wasClosed = standing === 'closed' || standing === 'closed-by-hand';
    if (isClosed(task) && !wasClosed && wasOpen.has(task.id)) {
      tellTicked(ctx, task.id);
    } else if (!isClosed(task) && wasClosed) {
      tellOpened(ctx, task.id);
    }
  }
}
