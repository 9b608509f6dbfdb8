// Review fixes and finalizing as work like a task, and how to find any work by its id.
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import { resultBefore, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { type Check, isClosed, type Plan, type Task } from '../../plan/plan.ts';
import { checksAtEnd, checksOf, newChecks, ownChecksOf, stateOf, type Work, type WorkKind } from '../work.ts';

/** As the plan has it now; undefined if it no longer has it, or it never began. */
export function findWork(place: Place, plan: Plan, id: string): Work | undefined {
  const { tasks, fixes } = place.run.state();
  const fix = fixes.get(id);
  const task = fix ? fixTask(place, plan, fix) : plan.tasks.find((one) => one.id === id);
  const start = (fix ?? tasks.get(id))?.start;
  if (!task || !start) return undefined;
  return { task, plan, start, ...(fix ? kindOf(place, fix) : { kind: 'task' }) };
}

export function fixTask(place: Place, plan: Plan, fix: TaskState): Task {
  const { id, title } = fix;
  const wasRed = ({ id: check, command }: Check) =>
    resultBefore(fix, { check, command: place.run.mask(command) }) === 'red';
  return {
    id,
    title,
    steps: [],
    // Red before: not this work's fault.
    checks: listChecks(place, plan).map((check) => ({
      ...check,
      knownRed: check.knownRed || wasRed(check),
    })),
    criteria: [],
    // Whoever works on all tasks may change what any task may.
    files: plan.tasks.flatMap((task) => task.files),
    depends: undefined,
    source: '',
    place: { line: 1, column: 1, offset: 0 },
  };
}

/** Its own; the end checks were just green, except where only a review is run. */
export function checksBefore(place: Place, plan: Plan, task: Task): readonly Check[] {
  const own = ownChecksOf(task);
  if (!place.run.state().fixes.has(task.id) || place.run.state().started.review) return own;
  const atEnd = new Set(checksAtEnd(plan).map(({ id }) => id));
  return own.filter(({ id }) => !atEnd.has(id));
}

/** The work may break what any task proved, and the run ends after it: all checks decide. */
function listChecks(place: Place, plan: Plan): readonly Check[] {
  const own = plan.tasks.filter(isClosed).flatMap(ownChecksOf);
  const more = newChecks([...own, ...checksAtEnd(plan)], checksOf(place, plan));
  return more.map((check) => ({ ...check, scope: 'plan', atEnd: false }));
}

function kindOf(place: Place, { fix }: TaskState): WorkKind {
  if (!fix) return { kind: 'finalize' };
  const known = place.run.state().review.findings;
  const findings = fix.findings.flatMap((id) => known.get(id) ?? []);
  return { kind: 'fix', fix: { ...fix, findings } };
}

export function emitEnded(
  place: Place,
  task: string,
  end: Omit<FactOf<'work-ended'>, 'type' | 'state' | 'task' | 'fix'>,
): void {
  const { fix } = stateOf(place, { id: task });
  const where = fix && { stage: fix.stage, round: fix.round };
  place.run.emit({ type: 'work', state: 'ended', task, ...defined({ fix: where }), ...end });
}
