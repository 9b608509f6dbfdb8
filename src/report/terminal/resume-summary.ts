// What a person is shown again when a run resumes.
import { type GroundFields, groundOf, withoutGround } from '../../event/ground.ts';
import { eventVersion, type Fact, type FactOf, type Stamped } from '../../event.ts';
import type { RunState, TaskState } from '../../journal/state.ts';

/** The ground of this start, the plan with the tasks closed now, the caps as last set. */
export function groundOfResume(
  { started: first, plan, tasks, caps, lastAt }: RunState,
  ground: GroundFields,
): readonly Stamped<Fact>[] {
  const started = { ...withoutGround(first), ...groundOf(ground) };
  const { settings, asked } = caps;
  const set: FactOf<'budgets-set'> = { type: 'budgets-set', settings: [...settings], asked: [...asked] };
  const budgets =
    settings.length + asked.length === 0 ? [] : [{ ...set, v: eventVersion, at: lastAt } as const];
  if (plan === undefined) return [started, ...budgets];
  const now: FactOf<'plan-read'> = {
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, closed: isClosed(tasks.get(task.id), task.closed) })),
  };
  return [started, ...budgets, { ...now, v: eventVersion, at: lastAt }];
}

function isClosed(task: TaskState | undefined, isTicked: boolean): boolean {
  switch (task?.standing) {
    case undefined:
      return isTicked;
    case 'open':
      return isTicked && task?.start === undefined;
    case 'closed':
    case 'closed-by-hand':
      return true;
    case 'failed':
    case 'parked':
    case 'skipped':
      return false;
  }
}
