// Open tasks that no check proves, in one note if none is proved.
import { type Check, isClosed, type Plan, type PlanNote, type Task } from '../plan.ts';
import { ruleOf } from './rule.ts';

const remedy = 'a `## Validation Commands` section, or the setting `checks` (`pawl init` proposes some)';

export const taskWithoutCheck = ruleOf(
  'task-without-check',
  'warning',
  (plan, { hasConfigChecks = false }) => {
    const isProven = (task: Task) => {
      const checks = plan.checks.length > 0 ? [...plan.checks, ...task.checks] : task.checks;
      return (plan.checks.length === 0 && hasConfigChecks) || checks.some((check) => proves(check, task));
    };
    const open = plan.tasks.filter((task) => !isClosed(task));
    const without = open.filter((task) => !isProven(task) && !isWhyTold(task, plan));
    const only = 'can only close unchecked: write "- check: `command`" in';
    const [first] = without;
    if (first && without.length > 1 && without.length === open.length) {
      const message = `no check proves any of the ${open.length} open tasks, so they ${only} them, ${remedy}`;
      return [{ message, place: first.place }];
    }
    return without.map(({ id, place }) => ({
      message: `no check proves task ${id}, so it ${only} it, ${remedy}`,
      place,
    }));
  },
);

/** A note already reports something meant as its check that is not one. */
function isWhyTold(task: Task, plan: Plan): boolean {
  const isIn = ({ place: { offset } }: PlanNote, { place, source }: Task) =>
    place.offset <= offset && offset < place.offset + source.length;
  const strays = plan.notes.filter(({ rule }) => /^(?:no-command|stray-checks|empty-check)$/.test(rule));
  return strays.some((note) =>
    isIn(note, task)
      ? task.checks.length === 0
      : plan.checks.length === 0 && !plan.tasks.some((other) => isIn(note, other)),
  );
}

/** Runs when the task closes, and would keep it open if red. */
function proves(check: Check, task: Task): boolean {
  return !check.knownRed && (!check.atEnd || task.checks.includes(check));
}
