// `pawl run --dry-run`: what a run would do, in order. It touches nothing.
import { choosePlanBranch } from '../phase/open/may-open.ts';
import { dependsOf, isClosed, type Plan } from '../plan/plan.ts';
import { withoutManualMark } from '../plan/steps.ts';
import { wordCount } from '../report/figure.ts';
import { line } from '../report/line.ts';
import { type CliContext, printLines } from './context.ts';
import type { Prepared } from './prepare-run.ts';
import type { RunOptions } from './run-options.ts';

/** Prints what would be done. */
export function describeRun(
  context: CliContext,
  { request, plan }: Prepared,
  { worktree }: Pick<RunOptions, 'worktree'>,
): number {
  const { config } = request.base;
  const choice = choosePlanBranch(request.workplace, {
    commonDir: request.base.repo.commonDir,
    planFile: request.planFile,
    branch: config.branch,
    ownBeside: worktree ? new Set() : undefined,
  });
  if (choice instanceof Error) throw choice;
  const checks = plan.checks.length > 0 ? plan.checks.map((check) => check.command) : config.checks;
  const open = plan.tasks.filter((task) => !isClosed(task)).length;
  const lines = [
    `Plan: ${plan.title}`,
    `Branch: ${choice.branch}${choice.create ? ' (new)' : ''}`,
    ...(worktree ? ['In a working tree of its own.'] : []),
    `Checks after each task: ${checks.length > 0 ? checks.join('; ') : 'none in the plan or the settings'}`,
    ...plan.tasks.flatMap((task) => wordTask(plan, task)),
    `${open} of ${wordCount(plan.tasks.length, 'task')} would be worked on. Nothing was touched.`,
  ];
  printLines(
    context,
    lines.map((text) => line('plain', text)),
  );
  return 0;
}

function wordTask(plan: Plan, task: Plan['tasks'][number]): string[] {
  const waits = dependsOf(plan, task);
  const steps = task.steps.filter((step) => !step.manual && !step.ticked).length;
  const manual = task.steps.filter((step) => step.manual && !step.ticked);
  return [
    `  ${isClosed(task) ? 'done' : 'open'}  Task ${task.id}: ${task.title}`,
    ...(isClosed(task)
      ? []
      : [`        ${wordCount(steps, 'step')}${waits.length > 0 ? `, after task ${waits.join(', ')}` : ''}`]),
    ...task.checks.map((check) => `        check: ${check.command}`),
    ...manual.map((step) => `        for a person: ${withoutManualMark(step.text)}`),
  ];
}
