// `pawl run --dry-run`: lists what a run would do, in order, and changes nothing.
import { refuseClosedThere } from '../phase/open/closed-there.ts';
import { choosePlanBranch, findOpenFor } from '../phase/open/may-open.ts';
import { dependsOf, isClosed, isRequired, openOutside, type Plan } from '../plan/plan.ts';
import { withoutManualMark } from '../plan/steps.ts';
import { formatCount } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { type CliContext, printLines } from '../start/context.ts';
import type { Prepared } from '../start/prepare-run.ts';
import type { RunOptions } from '../start/run-options.ts';

/** Prints what would be done. */
export async function describeRun(
  context: CliContext,
  { request, plan, needsConsent }: Prepared,
  { worktree }: Pick<RunOptions, 'worktree'>,
): Promise<void> {
  const { config } = request.base;
  const choice = choosePlanBranch(request.workplace, {
    commonDir: request.base.repo.commonDir,
    planFile: request.planFile,
    branch: config.branch,
    ownBeside: worktree ? new Set() : undefined,
  });
  if (choice instanceof Error) throw choice;
  if (!findOpenFor(request)) await refuseClosedThere(request.base.repo, request, choice);
  const checks = plan.checks.length > 0 ? plan.checks.map((check) => check.command) : config.checks;
  const meant = findMeant(plan, request.options);
  const lines = [
    `Plan: ${plan.title}`,
    `Branch: ${choice.branch}${choice.create ? ' (new)' : ''}`,
    ...(needsConsent
      ? ['Consent: not given yet; the run asks for it first, and `pawl trust` shows for what.']
      : []),
    ...(worktree ? ['In a working tree of its own.'] : []),
    `Checks after each task: ${checks.length > 0 ? checks.join('; ') : 'none in the plan or the settings'}`,
    ...plan.tasks.flatMap((task) => formatTask(plan, task, meant.has(task.id))),
    ...openOutside(plan).map(({ text, box }) => `Not part of any task: ${text} (line ${box.line})`),
    `${meant.size} of ${formatCount(plan.tasks.length, 'task')} would be worked on. Nothing was touched.`,
  ];
  printLines(
    context,
    lines.map((text) => line('plain', text)),
  );
}

/** Ids of the open tasks that a run with these options would work on, as long as none fails. */
function findMeant(
  plan: Plan,
  { task: only, from, maxTasks }: Prepared['request']['options'],
): ReadonlySet<string> {
  const first = Math.max(
    0,
    plan.tasks.findIndex(({ id }) => id === from),
  );
  const open = plan.tasks
    .slice(first)
    .filter((task) => !isClosed(task) && (only === undefined || task.id === only));
  return new Set(open.slice(0, maxTasks).map(({ id }) => id));
}

function formatTask(plan: Plan, task: Plan['tasks'][number], isMeant: boolean): string[] {
  const waits = dependsOf(plan, task);
  const steps = task.steps.filter((step) => isRequired(step) && !step.ticked).length;
  const manual = task.steps.filter((step) => step.manual && !step.ticked);
  return [
    `  ${isClosed(task) ? 'done' : isMeant ? 'open' : 'left'}  Task ${task.id}: ${task.title}`,
    ...(isClosed(task)
      ? []
      : [
          `        ${formatCount(steps, 'step')}${waits.length > 0 ? `, after task ${waits.join(', ')}` : ''}`,
        ]),
    ...task.checks.map((check) => `        check: ${check.command}`),
    ...manual.map((step) => `        for a person: ${withoutManualMark(step.text)}`),
  ];
}
