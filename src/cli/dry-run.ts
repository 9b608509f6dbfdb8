// `pawl run --dry-run`: lists what a run would do, in order, and changes nothing.
import { refuseClosedThere } from '../phase/open/closed-there.ts';
import { choosePlanBranch, findOpenFor } from '../phase/open/may-open.ts';
import { dependsOf, isClosed, isRequired, type Plan, type Task, untrackedBoxes } from '../plan/plan.ts';
import { withoutManualMark } from '../plan/steps.ts';
import { waitsOf } from '../plan/width/waits.ts';
import { formatCount, formatTasks } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { type CliContext, printLines } from '../start/context.ts';
import type { Prepared } from '../start/prepare-run.ts';
import { readHistory } from '../start/read-history.ts';
import type { RunOptions } from '../start/run-options.ts';
import { findAloneFor } from '../work/must-be-alone.ts';
import { formatWidth } from './dry-run-width.ts';

export async function describeRun(
  context: CliContext,
  { request, plan, needsConsent }: Prepared,
  { worktree }: Pick<RunOptions, 'worktree'>,
): Promise<void> {
  const { config } = request.base;
  const choice = choosePlanBranch(request.workplace, {
    commonDir: request.base.repo.home,
    planFile: request.planFile,
    branch: config.branch,
    ownBeside: worktree ? new Set() : undefined,
  });
  if (choice instanceof Error) throw choice;
  if (!findOpenFor(request)) await refuseClosedThere(request.base.repo, request, choice);
  const checks = plan.checks.length > 0 ? plan.checks.map((check) => check.command) : config.checks;
  const meant = findMeant(plan, request.options);
  // Side by side the order comes from the plan's marks; one by one from the document.
  const sideBySide = config.jobs > 1 ? waitsOf(plan) : undefined;
  const waits = (task: Task) => {
    const needed = new Set(sideBySide?.get(task.id) ?? dependsOf(plan, task));
    return plan.tasks.filter(({ id }) => needed.has(id)).map(({ id }) => id);
  };
  const lines = [
    `Plan: ${plan.title}`,
    `Branch: ${choice.branch}${choice.create ? ' (new)' : ''}`,
    ...(needsConsent
      ? ['Consent: not given yet; the run asks for it first, and `pawl trust` shows for what.']
      : []),
    ...(worktree ? ['In a ground of its own.'] : []),
    `Checks after each task: ${checks.length > 0 ? checks.join('; ') : 'none in the plan or the settings'}`,
    ...plan.tasks.flatMap((task) => formatTask(task, meant.has(task.id), waits(task))),
    ...untrackedBoxes(plan).map(({ text, line }) => `Not tracked by any task: ${text} (line ${line})`),
    ...formatWidth(fromNamed(plan, request.options.from), {
      jobs: config.jobs,
      excluded: new Set(plan.tasks.flatMap(({ id }) => (meant.has(id) ? [] : [id]))),
      aloneFor: findAloneFor(request.base.repo.root, plan, config),
      took: config.jobs > 1 ? readHistory(request.base.repo.home) : [],
    }),
    `${meant.size} of ${formatCount(plan.tasks.length, 'task')} would be worked on. Nothing was touched.`,
  ];
  printLines(
    context,
    lines.map((text) => line('plain', text)),
  );
}

/** The plan from the task on that was named as the first. */
function fromNamed(plan: Plan, from: string | undefined): Plan {
  const first = plan.tasks.findIndex(({ id }) => id === from);
  return { ...plan, tasks: plan.tasks.slice(Math.max(0, first)) };
}

/** Ids of the open tasks that a run with these options would work on, as long as none fails. */
function findMeant(
  plan: Plan,
  { task: only, from, maxTasks }: Prepared['request']['options'],
): ReadonlySet<string> {
  const open = fromNamed(plan, from).tasks.filter(
    (task) => !isClosed(task) && (only === undefined || task.id === only),
  );
  return new Set(open.slice(0, maxTasks).map(({ id }) => id));
}

/** A task whose steps are all for a person is closed to pawl, but not done. */
function stateOf(task: Task, isMeant: boolean): string {
  if (task.steps.every((step) => step.manual) && task.steps.some((step) => !step.ticked)) return 'you ';
  return isClosed(task) ? 'done' : isMeant ? 'open' : 'left';
}

function formatTask(task: Task, isMeant: boolean, waits: readonly string[]): string[] {
  const steps = task.steps.filter((step) => isRequired(step) && !step.ticked).length;
  const manual = task.steps.filter((step) => step.manual && !step.ticked);
  return [
    `  ${stateOf(task, isMeant)}  Task ${task.id}: ${task.title}`,
    ...(isClosed(task)
      ? []
      : [
          `        ${formatCount(steps, 'step')}${waits.length > 0 ? `, after ${formatTasks(waits, 12)}` : ''}`,
        ]),
    ...task.checks.map((check) => `        check: ${check.command}`),
    ...manual.map((step) => `        for a person: ${withoutManualMark(step.text)}`),
  ];
}
