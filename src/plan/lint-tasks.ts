// What tasks lack: boxes, a check that proves them, an agent that exists. What all tasks lack is reported once.
import { type Check, isClosed, type Plan, type PlanNote, type Task } from './plan.ts';

type Known = Readonly<{ hasConfigChecks?: boolean; agents?: readonly string[] }>;

/** The notes on a plan's tasks. */
export function lintTasks(plan: Plan, known: Known): PlanNote[] {
  return [
    ...withoutBoxes(plan),
    ...withoutCheck(plan, known.hasConfigChecks === true),
    ...plan.tasks.flatMap((task) => unknownAgent(task, known.agents)),
  ];
}

function withoutBoxes({ tasks }: Plan): PlanNote[] {
  const without = tasks.filter(({ steps }) => steps.some(({ implicit, manual }) => implicit && !manual));
  const rule = 'task-without-steps';
  if (isAll(without, tasks)) {
    const message = `none of the ${tasks.length} tasks has boxes, so the title of each is its one step, and pawl writes a ticked box below the heading when it is done`;
    return [noteOn(without[0], rule, message)];
  }
  return without.map((task) =>
    noteOn(
      task,
      rule,
      `task ${task.id} has no boxes, so its title is its one step, and pawl writes a ticked box below the heading when it is done`,
    ),
  );
}

function withoutCheck(plan: Plan, hasConfigChecks: boolean): PlanNote[] {
  const isProven = (task: Task) => {
    const checks = plan.checks.length > 0 ? [...plan.checks, ...task.checks] : task.checks;
    return (plan.checks.length === 0 && hasConfigChecks) || checks.some((check) => proves(check, task));
  };
  const open = plan.tasks.filter((task) => !isClosed(task));
  const without = open.filter((task) => !isProven(task) && !isWhyTold(task, plan));
  const rule = 'task-without-check';
  const section = 'a `## Validation Commands` section, or the setting `checks` (`pawl init` proposes some)';
  if (isAll(without, open)) {
    const message = `no check proves any of the ${open.length} open tasks, so they can only close unchecked: write "- check: \`command\`" in them, ${section}`;
    return [noteOn(without[0], rule, message)];
  }
  return without.map((task) =>
    noteOn(
      task,
      rule,
      `no check proves task ${task.id}, so it can only close unchecked: write "- check: \`command\`" in it, ${section}`,
    ),
  );
}

/** True if there are several tasks, and these are all of them. */
function isAll(some: readonly Task[], tasks: readonly Task[]): some is readonly [Task, ...Task[]] {
  return some.length > 1 && some.length === tasks.length;
}

function noteOn({ place }: Task, rule: PlanNote['rule'], message: string): PlanNote {
  return { rule, severity: 'warning', message, place };
}

/** True if a note already reports that something meant as a check, of the task or of the plan, is not one. */
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

function unknownAgent({ agent, place }: Task, agents: readonly string[] | undefined): PlanNote[] {
  if (agent === undefined || !agents || agents.includes(agent)) return [];
  const message = `\`agent: ${agent}\` is not an agent: write one of ${agents.join(', ')}`;
  return [{ rule: 'attribute-value', severity: 'error', message, place }];
}

/** True for a check that runs when the task closes and that would keep it open if red. */
function proves(check: Check, task: Task): boolean {
  return !check.knownRed && (!check.atEnd || task.checks.includes(check));
}
